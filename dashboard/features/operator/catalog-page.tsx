import { call } from '../../app/call.ts';
import { mayOperate } from '../../app/session.ts';
import { useAction } from '../../app/use-action.ts';
import { useQuery } from '../../app/use-query.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import type { Column } from '../../components/column.ts';
import { minor, numberColumn, sortedBy, textColumn } from '../../components/columns.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Section } from '../../components/section.tsx';
import { toast } from '../../components/toasts.tsx';
import { ConfigurationEditor } from './configuration-editor.tsx';
import { FoundModels, ModelFilter } from './found-models.tsx';
import { modelPath } from './model-path.ts';
import { isOwner, type ListOf, OPERATOR } from './operator-api.ts';
import type { Doctor, ModelRow, Reloaded } from './rows.ts';

/** The models with the targets behind them, and the reload of the configuration. */
export function CatalogPage() {
  const list = useQuery<ListOf<ModelRow>>(`${OPERATOR}/catalog`);
  const doctor = useQuery<Doctor>(`${OPERATOR}/doctor`);
  const reload = useAction(async () => {
    const { generation, restart_needed, warnings } = await call<Reloaded>('POST', `${OPERATOR}/reload`);
    await list.refresh();
    const remarks = [...restart_needed.map((name) => `${name} needs a restart`), ...warnings].join('. ');
    toast(`Configuration ${generation} is in place. ${remarks}`);
  });
  return (
    <>
      <PageHeader
        title="Catalog"
        lead={doctor.data ? <Source file={doctor.data.config_file} /> : 'The models and their targets.'}
        actions={
          mayOperate.value && (
            <Button onClick={() => void reload.run()} isRunning={reload.isRunning}>
              Reload the configuration
            </Button>
          )
        }
      />
      {reload.problem && <ProblemNotice problem={reload.problem} />}
      {isOwner.value && <ConfigurationEditor />}
      <Section title="Models">
        <ModelFilter />
        <Loaded query={list}>{({ data }) => <FoundModels models={data} columns={columns} />}</Loaded>
      </Section>
    </>
  );
}

const Source = ({ file }: { file: Doctor['config_file'] }) =>
  file ? (
    <>
      The configuration is in <code>{file}</code>. A reload replaces it as a whole, or not at all.
    </>
  ) : (
    <>The server runs without a configuration file, with the default catalog.</>
  );

function State({ model: { available, simulated } }: { model: ModelRow }) {
  if (available === false) return <Badge>not set up</Badge>;
  return simulated ? <Badge tone="warning">simulated</Badge> : <Badge tone="good">live</Badge>;
}

const columns: readonly Column<ModelRow>[] = [
  sortedBy(
    ({ id }) => id,
    textColumn('id', 'Model', ({ id }) => <a href={`/models/${modelPath(id)}`}>{id}</a>),
  ),
  textColumn('state', 'State', (model) => <State model={model} />),
  minor(textColumn('tier', 'Tier', ({ tier }) => tier)),
  sortedBy(
    ({ pricing_usd_per_mtok: { input } }) => input,
    numberColumn('input', 'Input, USD', ({ pricing_usd_per_mtok: { input } }) => input),
  ),
  sortedBy(
    ({ pricing_usd_per_mtok: { output } }) => output,
    numberColumn('output', 'Output, USD', ({ pricing_usd_per_mtok: { output } }) => output),
  ),
  textColumn('targets', 'Targets', (model) =>
    model.routes.map(({ provider, model: name }) => (
      <p key={provider + name}>
        {provider} <code>{name}</code>
      </p>
    )),
  ),
];
