import { knownBody } from '../../../base/json/json-body.ts';
import { present } from '../../../base/json/present.ts';
import { listOf, objectOf, parseObject } from '../../../base/json/read-json.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import type { EmbedContent } from './google-embeddings-schema.ts';

/** The purpose of the vector of one input, which only Google's wire can carry. */
type EmbedTask = Partial<Record<'taskType' | 'title', string>>;

/** The member of a body of the embeddings dialect that holds the tasks of all inputs. */
const TASKS = 'embed_tasks';

/** Returns the task of an input, without members if the client sent none. */
export const taskOf = ({ taskType, title }: EmbedContent): EmbedTask => present({ taskType, title });

/** Returns the member with the tasks, or no member if no input has a task. */
export const tasksMember = (tasks: readonly EmbedTask[]): { [TASKS]?: readonly EmbedTask[] } =>
  tasks.some((task) => Object.keys(task).length > 0) ? { [TASKS]: tasks } : {};

export const hasTasks = ({ body }: InferenceRequest): boolean => TASKS in body.value;

/** Returns the request without the tasks, whose member no upstream knows. */
export function withoutTasks(request: InferenceRequest): InferenceRequest {
  if (!hasTasks(request)) return request;
  const { [TASKS]: _, ...value } = request.body.value;
  return { ...request, body: knownBody(JSON.stringify(value), value) };
}

/** Adds the tasks of a request to the body that Google's wire gets for it, in the order of the inputs. */
export function addTasks(googleBody: string, request: InferenceRequest): string {
  if (!hasTasks(request)) return googleBody;
  const tasks = listOf(request.body.value[TASKS]).map(objectOf);
  const requests = listOf(parseObject(googleBody).requests);
  return JSON.stringify({
    requests: requests.map((input, index) => ({ ...objectOf(input), ...tasks[index] })),
  });
}
