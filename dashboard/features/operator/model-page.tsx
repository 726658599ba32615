import { useState } from 'preact/hooks';
import { navigate } from '../../app/address.ts';
import type { PageProps } from '../../app/page.ts';
import { mayOperate } from '../../app/session.ts';
import { useAction } from '../../app/use-action.ts';
import { useQuery } from '../../app/use-query.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { DetailPage } from '../../components/detail-page.tsx';
import { Facts } from '../../components/facts.tsx';
import { finishChange } from '../../components/finish-change.ts';
import { Form, type FormValues } from '../../components/form.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Section } from '../../components/section.tsx';
import { changesOf } from './model-body.ts';
import { ModelDifference, type PendingChange, tryChange } from './model-difference.tsx';
import type { ModelBody, ModelFields } from './model-fields.ts';
import { ModelFormFields } from './model-form-fields.tsx';
import { modelPath } from './model-path.ts';
import { OPERATOR } from './operator-api.ts';
import type { ModelWithRow } from './rows.ts';

const sources: Readonly<Record<ModelWithRow['source'], string>> = {
  file: 'the configuration file',
  'built-in': 'the default catalog',
  found: 'a local server that was found',
  stored: 'stored by form or API',
};

/** A model with its row. Each change shows its difference before it is made. */
export function ModelPage({ params }: PageProps) {
  const id = params.id ?? '';
  const query = useQuery<ModelWithRow>(`${OPERATOR}/catalog/${modelPath(id)}`);
  return (
    <DetailPage query={query} title={id} back={{ href: '/operator/models', label: 'All models' }}>
      {(model) => (
        <>
          <ModelFacts model={model} />
          {!model.row && (
            <p>
              The model was found at a local server and has no row. Add a model of another id with a route to
              it.
            </p>
          )}
          {model.row && mayOperate.value && (
            <Editor
              key={model.revision}
              model={model}
              row={model.row}
              onReload={() => void query.refresh()}
            />
          )}
        </>
      )}
    </DetailPage>
  );
}

const ModelFacts = ({ model: { source, hidden, kind } }: { model: ModelWithRow }) => (
  <Facts
    facts={[
      ['Row', sources[source]],
      ['State', hidden ? <Badge tone="warning">hidden</Badge> : <Badge tone="good">listed</Badge>],
      ['Kind', kind],
    ]}
  />
);

type EditorProps = { model: ModelWithRow; row: ModelFields; onReload: () => void };

function Editor({ model, row, onReload }: EditorProps) {
  const [pending, setPending] = useState<PendingChange>();
  const path = `${OPERATOR}/models/${modelPath(model.id)}`;
  // The revision that is shown. Another operator's change since then is a conflict.
  const revision = model.revision ?? 0;
  const showChange = async (body: ModelBody & { hidden?: boolean }) =>
    setPending(await tryChange({ method: 'PATCH', path, body: { ...body, revision } }));
  const hide = useAction(() => showChange({ hidden: !model.hidden }));
  const remove = useAction(async () => setPending(await tryChange({ method: 'DELETE', path })));
  const finish = ({ method, difference }: PendingChange) => {
    setPending(undefined);
    finishChange({ refreshes: OPERATOR, done: `${model.id} is changed.` });
    // Without a row of a file below it, the model is gone.
    const isGone = method === 'DELETE' && difference.changes.every(({ after }) => after === null);
    if (isGone) navigate('/operator/models');
  };
  const problem = hide.problem ?? remove.problem;
  return (
    <>
      {pending && (
        <ModelDifference
          pending={pending}
          onSaved={() => finish(pending)}
          onBack={() => setPending(undefined)}
          onReload={() => {
            setPending(undefined);
            onReload();
          }}
        />
      )}
      <div hidden={pending !== undefined}>
        <Section
          title="Change"
          lead="A change lies over the row of a file or of the default catalog."
          isCard
          actions={
            <>
              <Button onClick={() => void hide.run()} isRunning={hide.isRunning}>
                {model.hidden ? 'Show the model' : 'Hide the model'}
              </Button>
              {model.revision !== null && (
                <Button kind="danger" onClick={() => void remove.run()} isRunning={remove.isRunning}>
                  Remove the stored row
                </Button>
              )}
            </>
          }
        >
          {problem && <ProblemNotice problem={problem} />}
          <Form
            submitLabel="Show the difference"
            onSubmit={(values: FormValues) => showChange(changesOf(values, row))}
          >
            <ModelFormFields row={row} />
          </Form>
        </Section>
      </div>
    </>
  );
}
