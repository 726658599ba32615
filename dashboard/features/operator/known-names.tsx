import { computed, effect, signal } from '@preact/signals';
import type { AdminAnswer } from '../../../src/console/admin/admin-calls.ts';
import { withParameters } from '../../app/address.ts';
import { call } from '../../app/call.ts';
import { person } from '../../app/session.ts';
import { Named } from '../../components/named.tsx';
import { OPERATOR } from './operator-api.ts';

/** The names of accounts and keys by their ids. `null` if the server knows no name for the id. */
const names = signal<ReadonlyMap<string, string | null>>(new Map());
const unaskedIds = new Set<string>();
/** The most ids of one call. */
const MAX_ASKED = 100;

const personId = computed(() => person.value?.id);

// Another person starts with no names.
effect(() => {
  void personId.value;
  names.value = new Map();
});

/** Returns the name of an account or a key. The ids of all rows of a page are asked for in one call. */
export function nameOf(id: string): string | null | undefined {
  const name = names.value.get(id);
  if (name === undefined) {
    if (unaskedIds.size === 0) queueMicrotask(() => void ask());
    unaskedIds.add(id);
  }
  return name;
}

async function ask(): Promise<void> {
  const ids = [...unaskedIds].slice(0, MAX_ASKED);
  const path = withParameters(`${OPERATOR}/names`, { ids: ids.join(',') });
  // Without their names, the rows keep their ids until the next rendering asks again.
  const answer = await call<AdminAnswer<'GET /names'>>('GET', path).catch(() => undefined);
  for (const id of ids) unaskedIds.delete(id);
  if (answer) {
    const answered = new Map(answer.data.map(({ id, name }) => [id, name]));
    names.value = new Map([...names.value, ...ids.map((id) => [id, answered.get(id) ?? null] as const)]);
  }
  if (unaskedIds.size > 0) void ask();
}

/** An account by its name, as a link. */
export const AccountName = ({ id }: { id: string }) => (
  <Named name={nameOf(id)} id={id} href={`/operator/accounts/${encodeURIComponent(id)}`} />
);
