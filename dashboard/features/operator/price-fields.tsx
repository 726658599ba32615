import type { PriceTier } from '../../../src/settings/catalog/price-condition.ts';
import { Input } from '../../components/input.tsx';
import { type Option, Select } from '../../components/select.tsx';
import { type FormRowFields, fieldsOfRow, OriginField } from './form-row-fields.tsx';
import { FormRows } from './form-rows.tsx';
import { CONDITIONS, type conditionNumbers, PRICES } from './model-fields.ts';
import type { ModelFormValues } from './model-form-values.ts';

const PER_MILLION = 'USD per million';

type PriceFieldsProps = {
  values: ModelFormValues;
  /** The number of price rows with conditions at first. */
  count: number;
};

/** The base prices of a model, and its price rows with conditions. */
export const PriceFields = ({ values, count }: PriceFieldsProps) => (
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
      {(numbers) => <ConditionFields fields={fieldsOfRow(CONDITIONS, numbers, values)} />}
    </FormRows>
  </>
);

type PriceProps = { label: string; name: string; values: ModelFormValues; isRequired?: boolean };

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

const tierOptions: readonly Option<PriceTier | ''>[] = [
  { value: '', label: 'any' },
  { value: 'default', label: 'default' },
  { value: 'flex', label: 'flex' },
  { value: 'priority', label: 'priority' },
  { value: 'fast', label: 'fast' },
  { value: 'ultrafast', label: 'ultrafast' },
];

const numberFields: readonly (readonly [
  member: (typeof conditionNumbers)[number],
  label: string,
  suffix: string,
])[] = [
  ['above_input_tokens', 'Above input tokens', 'tokens'],
  ['factor', 'Factor', 'times the base prices'],
  ['input', 'Input price', PER_MILLION],
  ['output', 'Output price', PER_MILLION],
  ['cached_input', 'Cached input price', PER_MILLION],
];

const ConditionFields = ({ fields }: { fields: FormRowFields }) => (
  <>
    <OriginField fields={fields} />
    <TextField label="Name" member="name" fields={fields} isRequired />
    <Select<string>
      label="Tier"
      name={fields.nameOf('tier')}
      isRequired={false}
      options={tierOptions}
      value={fields.firstValue('tier')}
    />
    <TextField label="Region" member="region" fields={fields} />
    <TextField label="From" member="from" fields={fields} placeholder="2026-12-01" />
    <TextField label="Until" member="until" fields={fields} placeholder="2026-12-01" />
    {numberFields.map(([member, label, suffix]) => (
      <Input
        key={member}
        {...{ label, suffix }}
        name={fields.nameOf(member)}
        type="number"
        min={0}
        step="any"
        value={fields.firstValue(member)}
      />
    ))}
  </>
);

type TextFieldProps = {
  label: string;
  member: string;
  fields: FormRowFields;
  isRequired?: boolean;
  placeholder?: string;
};

const TextField = ({ member, fields, ...input }: TextFieldProps) => (
  <Input {...input} name={fields.nameOf(member)} value={fields.firstValue(member)} />
);
