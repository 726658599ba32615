import { batch, computed, effect, signal, untracked } from '@preact/signals';
import type { SessionView } from '../../src/console/dashboard/session-schema.ts';
import { toast } from '../components/toasts.tsx';
import { navigate } from './address.ts';
import { AnswerOrder } from './answer-order.ts';
import { forgetAnswers } from './answers.ts';
import { call } from './call.ts';
import { forgetDrafts } from './drafts.ts';
import { asProblem, type Problem } from './problem.ts';
import { roleRefusals, sessionEndings } from './session-ended.ts';
import { forgetUnsavedInput, hasUnsavedInput } from './unsaved-input.ts';

type MemberRole = SessionView['organizations'][number]['role'];

/** The rank of each role. The strongest role has the lowest rank. */
const rankByRole: Readonly<Record<MemberRole, number>> = { owner: 0, developer: 1, viewer: 2 };

/** The item of the browser's storage that keeps the chosen organization. */
const CHOSEN_ITEM = 'organization';
/** The other tabs of the browser hear of a change through this item of the storage. */
const CHANGED_ITEM = 'session-changed';

/** The visitor, and the settings that every visitor may know. Undefined until the session is loaded. */
export const session = signal<SessionView | undefined>(undefined);
/** The failure of the latest attempt to load the session. */
export const sessionProblem = signal<Problem | undefined>(undefined);

/** The session has ended while something was typed. The page stays, and asks for a sign-in above it. */
export const isExpired = signal(false);

export const person = computed(() => session.value?.person ?? null);
export const operatorRole = computed(() => session.value?.operator_role ?? null);
/** True if the person may change the installation. Operators who may only read see no buttons for that. */
export const mayOperate = computed(() => operatorRole.value === 'owner' || operatorRole.value === 'operator');
export const organizations = computed(() => session.value?.organizations ?? []);

const chosenId = signal(localStorage.getItem(CHOSEN_ITEM));

/** The organization that the pages show. Undefined if the person is in no organization. */
export const organization = computed(
  () => organizations.value.find(({ id }) => id === chosenId.value) ?? organizations.value[0],
);

/** Shows another organization on all pages. The browser keeps the choice. */
export function chooseOrganization(id: string): void {
  localStorage.setItem(CHOSEN_ITEM, id);
  chosenId.value = id;
}

/**
 * Returns the path of the API for the organization that the pages show: `inOrganization('/keys')`. Returns
 * `null` if the person is in no organization.
 */
export const inOrganization = (path: string): string | null =>
  organization.value ? `/organizations/${encodeURIComponent(organization.value.id)}${path}` : null;

/** Reports whether the person has at least this role in the organization that the pages show. */
export const hasRole = (role: MemberRole): boolean =>
  organization.value !== undefined && rankByRole[organization.value.role] <= rankByRole[role];

/**
 * Asks the server for the visitor. Call it again after each change of the session.
 * `to` is the page of the new session.
 */
export async function loadSession(to?: string): Promise<void> {
  const before = session.peek();
  await readSession(to);
  if (before && before.person?.id !== person.peek()?.id)
    localStorage.setItem(CHANGED_ITEM, String(Date.now()));
}

/** Shows the visitor of the present session after another tab has signed in or out. */
export const followOtherTabs = (): void =>
  window.addEventListener('storage', ({ key }) => {
    if (key === CHANGED_ITEM) void readSession();
  });

const sessionOrder = new AnswerOrder();

/** Reads the visitor. A session that has ended is kept while the page keeps what was typed. */
async function readSession(to?: string): Promise<void> {
  const questionNumber = sessionOrder.ask();
  try {
    const next = await call<SessionView>('GET', '/session');
    // A later answer already shows the visitor, for example after a sign-in.
    if (!sessionOrder.accepts(questionNumber)) {
      if (to !== undefined) navigate(to);
      return;
    }
    if (!next.person && keepsInput()) return;
    const isOtherPerson = next.person?.id !== session.peek()?.person?.id;
    batch(() => {
      if (isOtherPerson) forgetAnswers();
      session.value = next;
      sessionProblem.value = undefined;
      isExpired.value = false;
      if (to !== undefined) navigate(to);
    });
  } catch (error) {
    sessionProblem.value = asProblem(error);
  }
}

/**
 * Ends the session, or says that it has not ended. Without `to` the page stays, and asks for a sign-in if it
 * needs one.
 */
export async function signOut(to?: string): Promise<void> {
  forgetUnsavedInput();
  try {
    await call('POST', '/session/sign-out', {});
  } catch (error) {
    const { status, message } = asProblem(error);
    if (status !== 401) return toast(`You are still signed in. ${message}`, 'error');
  }
  await loadSession(to);
  forgetDrafts(sessionStorage);
}

/** Keeps the page if something was typed into it. */
function keepsInput(): boolean {
  if (hasUnsavedInput() && person.peek()) isExpired.value = true;
  return isExpired.peek();
}

/** Gives up what was typed, and leads to the sign-in. */
export function leaveExpired(): void {
  forgetUnsavedInput();
  batch(() => {
    isExpired.value = false;
    showSignedOut();
  });
}

function showSignedOut(): void {
  const current = session.peek();
  if (!current?.person) return;
  forgetAnswers();
  session.value = { ...current, person: null, operator_role: null, organizations: [] };
}

/** Refusals can have other causes, and pages repeat their questions. */
const MIN_ROLE_QUESTION_MS = 2_000;
let roleQuestionAt = Number.NEGATIVE_INFINITY;

/** Asks again for what the person may do, and says so if somebody else has changed it. */
async function readRoles(): Promise<void> {
  const now = performance.now();
  if (!person.peek() || now - roleQuestionAt < MIN_ROLE_QUESTION_MS) return;
  roleQuestionAt = now;
  const before = rolesOf(session.peek());
  const id = person.peek()?.id;
  await readSession();
  if (person.peek()?.id === id && rolesOf(session.peek()) !== before)
    toast('Your roles were changed. The pages show what you can do now.', 'error');
}

const rolesOf = (view: SessionView | undefined): string =>
  JSON.stringify([view?.operator_role, view?.organizations.map(({ id, role }) => [id, role])]);

effect(() => {
  if (roleRefusals.value > 0) void untracked(readRoles);
});

// An answer said that the session has ended.
effect(() => {
  if (sessionEndings.value > 0 && !untracked(keepsInput)) untracked(showSignedOut);
});
