import { Refusal } from '../../../base/errors/refusal.ts';
import { type JsonBody, type JsonObject, knownBody } from '../../../base/json/json-body.ts';
import { listOf, objectOf, parseObject, textOf } from '../../../base/json/read-json.ts';
import { formatPath } from '../../../base/schema/format-path.ts';
import { createValidator, type Validator } from '../../../base/schema/validator.ts';
import type { Dialect, DialectWire } from '../../contract/dialect.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import type { WholeAnswer } from '../../contract/whole-answer.ts';
import { renameParam } from '../../params/rename-param.ts';
import { modelName } from '../google/model-name.ts';
import { normalBody } from '../google/normal-body.ts';
import { createEmbeddingsDialect } from './create-embeddings-dialect.ts';
import { type EmbedContent, embedContentSchema, embedContentsSchema } from './google-embeddings-schema.ts';

/** The member of the body with what only Google's wire understands, by input. */
const TASKS = 'embed_tasks';
type Task = { taskType?: string; title?: string };

/** `one`: the method for a single text. Otherwise the method takes a list. */
type Form = 'one' | 'list';

/**
 * Embeddings for Google's clients.
 * A request becomes one of the embeddings dialect, and its answer is put into Google's form.
 */
export function createGoogleEmbeddingsDialect(form: Form): Dialect {
  const base = createEmbeddingsDialect();
  const validate = createValidator(form === 'one' ? embedContentSchema : embedContentsSchema);
  const google = base.otherWires!['google-embeddings']!;
  const inForm = (made: WholeAnswer): WholeAnswer => ({ ...made, text: answerText(made.text, form) });
  const otherWire: DialectWire = {
    path: google.path,
    patchRequest(request, model, target) {
      const made = google.patchRequest(withoutTasks(request), model, target);
      if (made instanceof Refusal) return inOwnWords(made, form);
      if (typeof made === 'string') return made;
      return { ...made, body: withTasks(made.body, tasksOf(request)) };
    },
    patchAnswer: (text, label, request) => inForm(google.patchAnswer(text, label, request)),
  };
  return {
    ...base,
    variant: `google-${form}`,
    keyHeader: 'google',
    otherWires: { 'google-embeddings': otherWire },
    bodyAt: (body, { id }) =>
      embeddingsBody(body, { model: modelName(id ?? textOf(body.value['model']) ?? ''), form, validate }),
    patchRequest(request, model, target) {
      const made = base.patchRequest(withoutTasks(request), model, target);
      if (made instanceof Refusal) return inOwnWords(made, form);
      return typeof made === 'string' && tasksOf(request).some(isAsked)
        ? { body: made, losses: [{ code: 'metadata' }] }
        : made;
    },
    patchAnswer: (text, label, request) => inForm(base.patchAnswer(text, label, request)),
  };
}

/** Names the field of the dialect in place of the one that it becomes. */
const inOwnWords = (refusal: Refusal, form: Form): Refusal =>
  renameParam(refusal, {
    dimensions: form === 'one' ? 'outputDimensionality' : 'requests[0].outputDimensionality',
    input: form === 'one' ? 'content' : 'requests',
  });

type Reading = { model: string; form: Form; validate: Validator };

function embeddingsBody(sent: JsonBody, { model, form, validate }: Reading): JsonBody | Refusal {
  const { value } = normalBody(sent);
  const problem = validate(value);
  if (problem) {
    const param = formatPath(problem.path);
    return new Refusal('invalid_request', { param, message: `${param} ${problem.message}` });
  }
  const asked = (form === 'one' ? [value] : listOf(value['requests'])) as unknown as EmbedContent[];
  const width = asked[0]?.outputDimensionality ?? undefined;
  const other = asked.findIndex(({ outputDimensionality }) => (outputDimensionality ?? undefined) !== width);
  if (other >= 0)
    return new Refusal('invalid_request', {
      param: `requests[${other}].outputDimensionality`,
      message: `requests[${other}].outputDimensionality must be that of the first request.`,
    });
  const tasks = asked.map(taskOf);
  const body: JsonObject = {
    model,
    input: asked.map(({ content }) => content.parts.map(({ text }) => text ?? '').join('')),
    ...(width !== undefined && { dimensions: width }),
    ...(tasks.some(isAsked) && { [TASKS]: tasks }),
  };
  return knownBody(JSON.stringify(body), body);
}

const taskOf = ({ taskType, title }: EmbedContent): Task => ({
  ...(taskType != null && { taskType }),
  ...(title != null && { title }),
});

const isAsked = (task: Task): boolean => Object.keys(task).length > 0;

const tasksOf = ({ body }: InferenceRequest): Task[] => listOf(body.value[TASKS]) as Task[];

/** Returns the request without the member, which no upstream knows. */
function withoutTasks(request: InferenceRequest): InferenceRequest {
  if (!(TASKS in request.body.value)) return request;
  const { [TASKS]: _, ...value } = request.body.value;
  return { ...request, body: knownBody(JSON.stringify(value), value) };
}

function withTasks(body: string, tasks: readonly Task[]): string {
  if (!tasks.some(isAsked)) return body;
  const requests = listOf(parseObject(body).requests).map((sent, at) => ({
    ...objectOf(sent),
    ...tasks[at],
  }));
  return JSON.stringify({ requests });
}

function answerText(text: string, form: Form): string {
  const { data, usage } = parseObject(text);
  const embeddings = listOf(data).map((item) => ({ values: objectOf(item)['embedding'] }));
  const usageMetadata = { promptTokenCount: objectOf(usage)['prompt_tokens'] };
  return JSON.stringify(
    form === 'one' ? { embedding: embeddings[0], usageMetadata } : { embeddings, usageMetadata },
  );
}
