import { Checkbox } from '../../components/checkbox.tsx';
import { Input } from '../../components/input.tsx';
import { abilities, type ModelFields, PRICES } from './model-fields.ts';
import { abilityField, valuesOf } from './model-form-values.ts';
import { PlanSelect } from './plan-select.tsx';
import { PriceFields } from './price-fields.tsx';
import { RouteFields } from './route-fields.tsx';

/** The fields of a model that operators change most. */
export function ModelFormFields({ row }: { row: ModelFields }) {
  const values = valuesOf(row);
  const prices = row[PRICES];
  return (
    <>
      <Input
        label="Display name"
        name="display_name"
        hint="Without one, the id is shown."
        value={values.display_name}
      />
      <PlanSelect value={values.plan} />
      <Input
        label="Context window"
        name="context_window"
        type="number"
        min={1}
        suffix="tokens"
        value={values.context_window}
      />
      <Input
        label="Longest answer"
        name="max_output"
        type="number"
        min={1}
        suffix="tokens"
        hint="Without one, only the context window limits answers."
        value={values.max_output}
      />
      <Input
        label="Aliases"
        name="aliases"
        hint="Further names, with commas between."
        value={values.aliases}
      />
      <fieldset>
        <legend>Capabilities</legend>
        {abilities.map((ability) => (
          <Checkbox
            key={ability}
            label={ability[0]!.toUpperCase() + ability.slice(1)}
            name={abilityField(ability)}
            isChecked={values[abilityField(ability)] === 'on'}
          />
        ))}
      </fieldset>
      {prices && <PriceFields values={values} count={prices.conditions?.length ?? 0} />}
      <RouteFields values={values} count={row.routes.length} />
    </>
  );
}
