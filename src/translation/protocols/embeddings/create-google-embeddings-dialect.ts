import { invalidParam } from '../../../base/errors/invalid-param.ts';
import { Refusal } from '../../../base/errors/refusal.ts';
import { type JsonBody, type JsonObject, knownBody } from '../../../base/json/json-body.ts';
import { listOf, objectOf, parseObject, textOf } from '../../../base/json/read-json.ts';
import { refuseInvalid } from '../../../base/schema/refuse-invalid.ts';
import { createValidator, type Validator } from '../../../base/schema/validator.ts';
import type { Dialect, DialectWire } from '../../contract/dialect.ts';
import type { WholeAnswer } from '../../contract/whole-answer.ts';
import { renameParam } from '../../params/rename-param.ts';
import { modelName } from '../google/model-name.ts';
import { normalBody } from '../google/normal-body.ts';
import { createEmbeddingsDialect } from './create-embeddings-dialect.ts';
import { addTasks, hasTasks, taskOf, tasksMember, withoutTasks } from './embed-tasks.ts';
import { googleEmbeddings } from './google-embeddings.ts';
import { type EmbedContent, embedContentSchema, embedContentsSchema } from './google-embeddings-schema.ts';

/** `one`: the method for a single text. `list`: the method for several. */
type Form = 'one' | 'list';

/**
 * Creates the dialect of embeddings for Google's clients.
 * A request becomes one of the embeddings dialect, and its answer is put into Google's form.
 */
export function createGoogleEmbeddingsDialect(form: Form): Dialect {
  const base = createEmbeddingsDialect();
  const validate = createValidator(form === 'one' ? embedContentSchema : embedContentsSchema);
  const inForm = (answer: WholeAnswer): WholeAnswer => ({ ...answer, text: answerText(answer.text, form) });
  const googleWire: DialectWire = {
    path: googleEmbeddings.path,
    patchRequest(request, model, target) {
      const patched = googleEmbeddings.patchRequest(withoutTasks(request), model, target);
      if (patched instanceof Refusal) return renameFields(patched, form);
      return { ...patched, body: addTasks(patched.body, request) };
    },
    patchAnswer: (text, label, request) => inForm(googleEmbeddings.patchAnswer(text, label, request)),
  };
  return {
    ...base,
    variant: `google-${form}`,
    keyHeader: 'google',
    otherWires: { 'google-embeddings': googleWire },
    bodyAt(body, { id }) {
      const model = modelName(id ?? textOf(body.value['model']) ?? '');
      const inputs = readInputs(body, form, validate);
      return inputs instanceof Refusal ? inputs : embeddingsBody(model, inputs);
    },
    patchRequest(request, model, target) {
      const patched = base.patchRequest(withoutTasks(request), model, target);
      if (patched instanceof Refusal) return renameFields(patched, form);
      return typeof patched === 'string' && hasTasks(request)
        ? { body: patched, losses: [{ code: 'metadata' }] }
        : patched;
    },
    patchAnswer: (text, label, request) => inForm(base.patchAnswer(text, label, request)),
  };
}

/** Names the field of Google's dialect in place of the one that it becomes. */
const renameFields = (refusal: Refusal, form: Form): Refusal =>
  renameParam(refusal, {
    dimensions: form === 'one' ? 'outputDimensionality' : 'requests[0].outputDimensionality',
    input: form === 'one' ? 'content' : 'requests',
  });

/** Returns the inputs, which must have one width, since the embeddings dialect has one for all. */
function readInputs(body: JsonBody, form: Form, validate: Validator): EmbedContent[] | Refusal {
  const { value } = normalBody(body);
  const refusal = refuseInvalid(value, validate);
  if (refusal) return refusal;
  const inputs = (form === 'one' ? [value] : value['requests']) as EmbedContent[]; // as the schema says
  const width = widthOf(inputs[0]);
  const differing = inputs.findIndex((input) => widthOf(input) !== width);
  return differing < 0
    ? inputs
    : invalidParam(`requests[${differing}].outputDimensionality`, 'must be that of the first request.');
}

const widthOf = (input: EmbedContent | undefined): number | undefined =>
  input?.outputDimensionality ?? undefined;

function embeddingsBody(model: string, inputs: readonly EmbedContent[]): JsonBody {
  const dimensions = widthOf(inputs[0]);
  const value: JsonObject = {
    model,
    input: inputs.map(({ content }) => content.parts.map(({ text }) => text).join('')),
    ...(dimensions !== undefined && { dimensions }),
    ...tasksMember(inputs.map(taskOf)),
  };
  return knownBody(JSON.stringify(value), value);
}

function answerText(text: string, form: Form): string {
  const { data, usage } = parseObject(text);
  const embeddings = listOf(data).map((item) => ({ values: objectOf(item)['embedding'] }));
  const usageMetadata = { promptTokenCount: objectOf(usage)['prompt_tokens'] };
  return JSON.stringify(
    form === 'one' ? { embedding: embeddings[0], usageMetadata } : { embeddings, usageMetadata },
  );
}
