import { queryValue, setQuery } from '../../app/address.ts';
import { IconButton } from '../../components/button.tsx';
import { Combobox, type ComboboxOption } from '../../components/combobox.tsx';

/** The models other than the chosen one. */
const MAX_OTHERS = 3;

/** Returns the models of the address that answer too. */
export const comparedModels = (model: string): readonly string[] =>
  [...new Set(queryValue('with').split(','))].filter((id) => id !== '' && id !== model).slice(0, MAX_OTHERS);

const compare = (models: readonly string[]): void => setQuery({ with: models.join(',') });

/** The choice of up to three other models. */
export function ComparePicker({ model, options }: { model: string; options: readonly ComboboxOption[] }) {
  const others = comparedModels(model);
  const choices = options.filter(({ value }) => value !== model && !others.includes(value));
  return (
    <>
      {others.length > 0 && (
        <ul class="chosen" aria-label="Compared models">
          {others.map((id) => (
            <li key={id}>
              <code>{id}</code>
              <IconButton
                icon="close"
                label={`Do not compare ${id}`}
                onClick={() => compare(others.filter((other) => other !== id))}
              />
            </li>
          ))}
        </ul>
      )}
      {others.length < MAX_OTHERS && (
        <Combobox
          key={others.length}
          label="Compare with"
          placeholder="Another model"
          options={choices}
          value=""
          onChange={(id) => options.some(({ value }) => value === id) && compare([...others, id])}
        />
      )}
    </>
  );
}
