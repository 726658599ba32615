import { useQuery } from '../../app/use-query.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { Input } from '../../components/input.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Select } from '../../components/select.tsx';
import { FormRows } from './form-rows.tsx';
import { abilities, CONDITIONS, type ModelFields, ORIGIN, PRICES, ROUTES, valuesOf } from './model-draft.ts';
import { type List, OPERATOR } from './operator-api.ts';
import { PlanSelect } from './plan-select.tsx';
import type { ProviderRow } from './rows.ts';

type Values = ReturnType<typeof valuesOf>;

/** The fields of a model that operators change most. */
export function ModelFormFields({ row }: { row: ModelFields }) {
  const values = valuesOf(row);
  const prices = row[PRICES] as { conditions?: readonly unknown[] } | null;
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
            name={`capabilities.${ability}`}
            isChecked={values[`capabilities.${ability}`] === 'on'}
          />
        ))}
      </fieldset>
      {prices && <PriceFields values={values} count={prices.conditions?.length ?? 0} />}
      <RouteFields values={values} count={(row.routes as readonly unknown[]).length} />
    </>
  );
}

const PER_MILLION = 'USD per million';

const Price = ({ label, name, values, isRequired = false }: PriceProps) => (
  <Input
    {...{ label, name, isRequired }}
    type="number"
    min={0}
    step="any"
    suffix={PER_MILLION}
    value={values[name] ?? ''}
  />
);

type PriceProps = { label: string; name: string; values: Values; isRequired?: boolean };

const PriceFields = ({ values, count }: { values: Values; count: number }) => (
  <>
    <fieldset>
      <legend>Prices</legend>
      <Price label="Input price" name={`${PRICES}.input`} values={values} isRequired />
      <Price label="Output price" name={`${PRICES}.output`} values={values} isRequired />
      <Price label="Cached input price" name={`${PRICES}.cached_input`} values={values} />
    </fieldset>
    <FormRows
      legend="Price rows with conditions"
      rowLabel="Price row"
      addLabel="Add price row"
      hint="The first row whose conditions all hold decides. Windows of hours are kept, and are set by YAML or API."
      count={count}
    >
      {({ index, origin }) => <ConditionFields place={placeOf(CONDITIONS, index, origin)} values={values} />}
    </FormRows>
  </>
);

/** Names a row of the form by its number now and, for its first values, by its number at first. */
const placeOf = (part: string, index: number, origin: number | undefined) => ({
  name: `${part}[${index}]`,
  first: origin === undefined ? undefined : `${part}[${origin}]`,
  origin,
});
type Place = ReturnType<typeof placeOf>;

const firstOf = (values: Values, { first }: Place, name: string): string =>
  (first === undefined ? undefined : values[`${first}.${name}`]) ?? '';

const Origin = ({ name, origin }: Place) => (
  <input type="hidden" name={`${name}.${ORIGIN}`} value={origin === undefined ? '' : String(origin)} />
);

const tiers = ['', 'default', 'flex', 'priority', 'fast', 'ultrafast'];

const conditionNumbers = [
  ['above_input_tokens', 'Above input tokens', 'tokens'],
  ['factor', 'Factor', 'times the base prices'],
  ['input', 'Input price', PER_MILLION],
  ['output', 'Output price', PER_MILLION],
  ['cached_input', 'Cached input price', PER_MILLION],
] as const;

const ConditionFields = ({ place, values }: { place: Place; values: Values }) => (
  <>
    <Origin {...place} />
    <Input label="Name" name={`${place.name}.name`} isRequired value={firstOf(values, place, 'name')} />
    <Select
      label="Tier"
      name={`${place.name}.tier`}
      isRequired={false}
      options={tiers.map((value) => ({ value, label: value || 'any' }))}
      value={firstOf(values, place, 'tier')}
    />
    <Input label="Region" name={`${place.name}.region`} value={firstOf(values, place, 'region')} />
    {(['from', 'until'] as const).map((name) => (
      <Input
        key={name}
        label={name === 'from' ? 'From' : 'Until'}
        name={`${place.name}.${name}`}
        placeholder="2026-12-01"
        value={firstOf(values, place, name)}
      />
    ))}
    {conditionNumbers.map(([name, label, suffix]) => (
      <Input
        key={name}
        {...{ label, suffix }}
        name={`${place.name}.${name}`}
        type="number"
        min={0}
        step="any"
        value={firstOf(values, place, name)}
      />
    ))}
  </>
);

function RouteFields({ values, count }: { values: Values; count: number }) {
  const providers = useQuery<List<ProviderRow>>(`${OPERATOR}/providers`);
  return (
    <Loaded query={providers}>
      {({ data }) => <RouteRows ids={data.map(({ id }) => id)} values={values} count={count} />}
    </Loaded>
  );
}

function RouteRows({ ids, values, count }: { ids: readonly string[]; values: Values; count: number }) {
  return (
    <FormRows
      legend="Routes"
      rowLabel="Route"
      addLabel="Add route"
      hint="Routes are tried by weight, then in order."
      count={count}
    >
      {({ index, origin }) => {
        const place = placeOf(ROUTES, index, origin);
        const chosen = firstOf(values, place, 'provider');
        const options = [...new Set([chosen, ...ids])].filter((id) => id !== '' || chosen === '');
        return (
          <>
            <Origin {...place} />
            <Select
              label="Provider"
              name={`${place.name}.provider`}
              options={options.map((value) => ({ value, label: value || 'Choose a provider' }))}
              value={chosen}
            />
            <Input
              label="Model at the provider"
              name={`${place.name}.model`}
              isRequired
              value={firstOf(values, place, 'model')}
            />
            <Input
              label="Weight"
              name={`${place.name}.weight`}
              type="number"
              min={0}
              step="any"
              value={firstOf(values, place, 'weight') || 1}
            />
          </>
        );
      }}
    </FormRows>
  );
}
