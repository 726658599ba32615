import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';

export type FormRowsProps = {
  legend: string;
  /** The name of one row, before its number. */
  rowLabel: string;
  addLabel: string;
  hint?: string;
  count: number;
  /**
   * Renders the fields of a row. `origin` is its number at first, or undefined for an added one. `index` is
   * its number now.
   */
  children: (row: { index: number; origin: number | undefined }) => ComponentChildren;
};

/** Rows of fields that are added and removed. */
export function FormRows({ legend, rowLabel, addLabel, hint, count, children }: FormRowsProps) {
  const [rows, setRows] = useState(
    () => Array.from({ length: count }, (_, origin) => ({ key: origin, origin })) as Row[],
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

type Row = { key: number; origin: number | undefined };
