import { call } from '../../app/call.ts';
import { useAction } from '../../app/use-action.ts';
import { Button } from '../../components/button.tsx';
import type { Column } from '../../components/column.ts';
import { headerColumn, textColumn } from '../../components/columns.tsx';
import { formatCount } from '../../components/format.ts';
import { formatMicrocredits } from '../../components/microcredits.ts';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Section } from '../../components/section.tsx';
import { Table } from '../../components/table.tsx';
import type { ModelBody } from './model-fields.ts';
import type { DryRun } from './rows.ts';

/** A change of a model that the server has tried without storing it. */
export type PendingChange = {
  method: 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: ModelBody & { id?: string | undefined; hidden?: boolean; revision?: number };
  difference: DryRun;
};

/** Asks the server what a change would do. */
export async function tryChange(change: Omit<PendingChange, 'difference'>): Promise<PendingChange> {
  const { method, path, body } = change;
  return { ...change, difference: await call<DryRun>(method, `${path}?dry_run=true`, body) };
}

type DifferenceProps = {
  pending: PendingChange;
  onSaved: () => void;
  onBack: () => void;
  onReload?: () => void;
};

/** Shows the effect of a change before it is made. */
export function ModelDifference({ pending, onSaved, onBack, onReload }: DifferenceProps) {
  const { method, path, body, difference } = pending;
  const save = useAction(async () => {
    await call(method, path, body);
    onSaved();
  });
  return (
    <Section title="Difference" lead={costText(difference.yesterday)}>
      <Table
        caption="Difference"
        columns={columns}
        rows={difference.changes}
        rowKey={({ field }) => field}
        sortParam="none"
        empty={<p class="soft">Nothing changes.</p>}
      />
      {save.problem && <ProblemNotice problem={save.problem} />}
      <div class="form-actions">
        <Button
          kind={method === 'DELETE' ? 'danger' : 'primary'}
          onClick={() => void save.run()}
          isRunning={save.isRunning}
        >
          {method === 'DELETE' ? 'Remove' : 'Save'}
        </Button>
        <Button onClick={onBack}>Back</Button>
        {save.problem?.code === 'conflict' && onReload && <Button onClick={onReload}>Load again</Button>}
      </div>
    </Section>
  );
}

const costText = ({ requests, ...cost }: DryRun['yesterday']): string =>
  requests === 0
    ? 'The model answered no requests yesterday.'
    : `Yesterday's ${formatCount(requests, 'request')} cost ${formatMicrocredits(cost.microcredits_before)} credits. With the change the cost would have been ${formatMicrocredits(cost.microcredits_after)} credits.`;

type Change = DryRun['changes'][number];

const jsonText = (value: unknown) => <code>{value === null ? '–' : JSON.stringify(value)}</code>;

const columns: readonly Column<Change>[] = [
  headerColumn('field', 'Field', ({ field }) => <code>{field}</code>),
  textColumn('before', 'Before', ({ before }) => jsonText(before)),
  textColumn('after', 'After', ({ after }) => jsonText(after)),
];
