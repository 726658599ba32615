import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import type { RowNumbers } from './form-row-fields.tsx';

type FormRowsProps = {
  legend: string;
  /** The name of one row, before its number. */
  rowLabel: string;
  addLabel: string;
  hint?: string;
  count: number;
  /** Renders the fields of a row. */
  children: (numbers: RowNumbers) => ComponentChildren;
};

/** Rows of fields that are added and removed. */
export function FormRows({ legend, rowLabel, addLabel, hint, count, children }: FormRowsProps) {
  const [rows, setRows] = useState(() =>
    Array.from({ length: count }, (_, origin): Row => ({ key: origin, origin })),
  );
  const add = () =>
    setRows([...rows, { key: Math.max(-1, ...rows.map(({ key }) => key)) + 1, origin: undefined }]);
  return (
    <fieldset>
      <legend>{legend}</legend>
      {hint && <p class="soft">{hint}</p>}
      {rows.map(({ key, origin }, index) => (
        <fieldset key={key} class="form-row">
          <legend>
            {rowLabel} {index + 1}
          </legend>
          {children({ index, origin })}
          <Button
            label={`Remove ${rowLabel.toLowerCase()} ${index + 1}`}
            onClick={() => setRows(rows.filter((row) => row.key !== key))}
          >
            Remove
          </Button>
        </fieldset>
      ))}
      <Button onClick={add}>{addLabel}</Button>
    </fieldset>
  );
}

/** `key` distinguishes the rows that are shown, so that a removed row takes its values with it. */
type Row = { key: number; origin: number | undefined };
