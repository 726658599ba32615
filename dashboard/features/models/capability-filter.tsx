import { queryValue, setQuery } from '../../app/address.ts';
import { capabilityLabels } from './model-facts.tsx';

/** A model must have every chosen capability. */
export function CapabilityFilter() {
  const chosen = queryValue('capabilities').split(',').filter(Boolean);
  return (
    <fieldset class="choices">
      <legend>Capabilities</legend>
      {Object.entries(capabilityLabels).map(([name, label]) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={chosen.includes(name)}
            onChange={({ currentTarget }) => {
              const next = chosen.filter((other) => other !== name);
              if (currentTarget.checked) next.push(name);
              setQuery({ capabilities: next.join(','), after: null });
            }}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
