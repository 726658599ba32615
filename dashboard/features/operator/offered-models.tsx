import { useQuery } from '../../app/use-query.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { Input } from '../../components/input.tsx';
import { boxOf, publicName } from './new-models.ts';
import { type ListOf, OPERATOR } from './operator-api.ts';
import type { ModelRow } from './rows.ts';

const MAX_SHOWN = 50;

type OfferedModelsProps = { models: readonly string[]; isBuiltIn: boolean };

/**
 * The models that a provider offers and the catalog lacks. Each needs a price and a window. The catalog has
 * most models of a built-in provider.
 */
export function OfferedModels({ models, isBuiltIn }: OfferedModelsProps) {
  const catalog = useQuery<ListOf<ModelRow>>(`${OPERATOR}/catalog`);
  const catalogNames = new Set(catalog.data?.data.flatMap(({ id, aliases }) => [id, ...aliases]));
  const newModels = models.filter((model) => !catalogNames.has(publicName(model))).slice(0, MAX_SHOWN);
  if (newModels.length === 0) return <p class="soft">The catalog has the models of this provider.</p>;
  return (
    <fieldset>
      <legend>{isBuiltIn ? 'Further models to add' : 'Models to add'}</legend>
      {newModels.map((model) => (
        <Checkbox key={model} label={model} name={boxOf(model)} />
      ))}
      <Input
        label="Context window"
        name="context_window"
        type="number"
        min={1}
        value={128_000}
        suffix="tokens"
      />
      <Price label="Input price" name="input" />
      <Price label="Output price" name="output" />
      <p class="soft">A price of 0 makes the model free for all accounts.</p>
    </fieldset>
  );
}

const Price = ({ label, name }: { label: string; name: string }) => (
  <Input label={label} name={name} type="decimal" min={0} step="any" value={0} suffix="USD per million" />
);
