import { useState } from 'preact/hooks';
import type { ModelList } from '../../../src/console/dashboard/model-schema.ts';
import { inOrganization } from '../../app/session.ts';
import { useQuery } from '../../app/use-query.ts';
import { Button } from '../../components/button.tsx';
import { Combobox } from '../../components/combobox.tsx';

type ModelPickerProps = {
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
};

/** A choice of several models. Without any, all models are allowed. */
export function ModelPicker({ chosen, onChange }: ModelPickerProps) {
  const { data } = useQuery<ModelList>(inOrganization('/models?limit=500'));
  const [round, setRound] = useState(0);
  const options = (data?.data ?? [])
    .filter(({ id }) => !chosen.includes(id))
    .map(({ id, name }) => ({ value: id, label: id, hint: name === id ? undefined : name }));
  return (
    <div class="stack tight">
      <Combobox
        key={round}
        label="Allowed models"
        hint={chosen.length === 0 ? 'If you choose none, the key can call every model.' : undefined}
        options={options}
        value=""
        placeholder="Add a model"
        isOpenEnded
        onChange={(id) => {
          setRound(round + 1);
          if (id !== '' && !chosen.includes(id)) onChange([...chosen, id]);
        }}
      />
      {chosen.length > 0 && (
        <ul class="chosen" aria-label="Allowed models">
          {chosen.map((id) => (
            <li key={id}>
              <code>{id}</code>
              <Button
                kind="quiet"
                label={`Remove ${id}`}
                onClick={() => onChange(chosen.filter((other) => other !== id))}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
