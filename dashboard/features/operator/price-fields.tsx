import { entriesOf } from '../../../src/base/lib/records.ts';
import type { PriceTier } from '../../../src/settings/catalog/price-condition.ts';
import { Input } from '../../components/input.tsx';
import { optionsOf } from '../../components/options-of.ts';
import { Select } from '../../components/select.tsx';
import { type FormRowFields, fieldsOfRow, OriginField } from './form-row-fields.tsx';
import { FormRows } from './form-rows.tsx';
import { type BasePrice, CONDITIONS, type ConditionNumber, type ConditionText } from './model-fields.ts';
import type { ModelFormValues } from './model-form-rows.ts';
import { priceField } from './model-form-values.ts';

const PER_MILLION = 'USD per million';

type PriceFieldsProps = {
  values: ModelFormValues;
  /** The number of price rows with conditions at first. */
  count: number;
};

/** The choices of a tier. A row without a tier holds in every tier. */
const tierLabels: Readonly<Record<PriceTier | '', string>> = {
  '': 'any',
  default: 'default',
  flex: 'flex',
  priority: 'priority',
  fast: 'fast',
  ultrafast: 'ultrafast',
};

const numberFields: Readonly<Record<ConditionNumber, { label: string; suffix: string }>> = {
  above_input_tokens: { label: 'Above input tokens', suffix: 'tokens' },
  factor: { label: 'Factor', suffix: 'times the base prices' },
  input: { label: 'Input price', suffix: PER_MILLION },
  output: { label: 'Output price', suffix: PER_MILLION },
  cached_input: { label: 'Cached input price', suffix: PER_MILLION },
};

/** The base prices of a model, and its price rows with conditions. */
export const PriceFields = ({ values, count }: PriceFieldsProps) => (
  <>
    <fieldset>
      <legend>Prices</legend>
      <Price label="Input price" price="input" values={values} isRequired />
      <Price label="Output price" price="output" values={values} isRequired />
      <Price label="Cached input price" price="cached_input" values={values} />
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

type PriceProps = { label: string; price: BasePrice; values: ModelFormValues; isRequired?: boolean };

const Price = ({ label, price, values, isRequired = false }: PriceProps) => (
  <Input
    label={label}
    isRequired={isRequired}
    name={priceField(price)}
    type="decimal"
    min={0}
    step="any"
    suffix={PER_MILLION}
    value={values[priceField(price)] ?? ''}
  />
);

type ConditionRowFields = FormRowFields<typeof CONDITIONS>;

const ConditionFields = ({ fields }: { fields: ConditionRowFields }) => (
  <>
    <OriginField fields={fields} />
    <TextField label="Name" member="name" fields={fields} isRequired />
    <Select<string>
      label="Tier"
      name={fields.nameOf('tier')}
      isRequired={false}
      options={optionsOf(tierLabels)}
      value={fields.firstValue('tier')}
    />
    <TextField label="Region" member="region" fields={fields} />
    <TextField label="From" member="from" fields={fields} placeholder="2026-12-01" />
    <TextField label="Until" member="until" fields={fields} placeholder="2026-12-01" />
    {entriesOf(numberFields).map(([member, { label, suffix }]) => (
      <Input
        key={member}
        label={label}
        suffix={suffix}
        name={fields.nameOf(member)}
        type="decimal"
        min={0}
        step="any"
        value={fields.firstValue(member)}
      />
    ))}
  </>
);

type TextFieldProps = {
  label: string;
  member: ConditionText;
  fields: ConditionRowFields;
  isRequired?: boolean;
  placeholder?: string;
};

const TextField = ({ member, fields, ...input }: TextFieldProps) => (
  <Input {...input} name={fields.nameOf(member)} value={fields.firstValue(member)} />
);
