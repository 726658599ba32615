import { batch, computed, effect, signal, untracked } from '@preact/signals';
import type { SessionView } from '../../src/console/dashboard/session-schema.ts';
import { navigate } from './address.ts';
import { forgetAnswers } from './answers.ts';
import { call } from './call.ts';
import { forgetDrafts } from './drafts.ts';
import { asProblem, type Problem } from './problem.ts';
import { sessionEndings } from './session-ended.ts';
import { forgetUnsavedInput, hasUnsavedInput } from './unsaved-input.ts';

/** It is undefined until it is known. */
export const session = signal<SessionView | undefined>(undefined);
export const sessionProblem = signal<Problem | undefined>(undefined);

/** The session has ended while something was typed. The page stays, and asks for a sign-in above it. */
export const isExpired = signal(false);

export const person = computed(() => session.value?.person ?? null);
export const operatorRole = computed(() => session.value?.operator_role ?? null);
export const organizations = computed(() => session.value?.organizations ?? []);

const CHOSEN = 'organization';
const chosen = signal(localStorage.getItem(CHOSEN));

/** The organization that the pages show. It is undefined if the person is in none. */
export const organization = computed(
  () => organizations.value.find(({ id }) => id === chosen.value) ?? organizations.value[0],
);

export function chooseOrganization(id: string): void {
  localStorage.setItem(CHOSEN, id);
  chosen.value = id;
}

/**
 * Returns the path of the API for the organization that the pages show: `inOrganization('/keys')`. `null`
 * means that there is none.
 */
export const inOrganization = (path: string): string | null =>
  organization.value ? `/organizations/${encodeURIComponent(organization.value.id)}${path}` : null;

const ranks = ['owner', 'developer', 'viewer'] as const;

/** Reports whether the person has at least this role in the organization that the pages show. */
export const hasRole = (role: (typeof ranks)[number]): boolean =>
  organization.value !== undefined && ranks.indexOf(organization.value.role) <= ranks.indexOf(role);

/** The other tabs of the browser hear of a change through this item of the storage. */
const CHANGED = 'session-changed';

/**
 * Asks the server for the visitor. Call it again after each change of the session.
 * `to` is the page of the new session.
 */
export async function loadSession(to?: string): Promise<void> {
  const before = session.peek();
  await readSession(to);
  if (before && before.person?.id !== person.peek()?.id) localStorage.setItem(CHANGED, String(Date.now()));
}

/** Shows the visitor of the present session after another tab has signed in or out. */
export const followOtherTabs = (): void =>
  window.addEventListener('storage', ({ key }) => {
    if (key === CHANGED) void readSession();
  });

async function readSession(to?: string): Promise<void> {
  try {
    const found = await call<SessionView>('GET', '/session');
    if (!found.person && keepsInput()) return;
    const isOther = found.person?.id !== session.peek()?.person?.id;
    batch(() => {
      if (isOther) forgetAnswers();
      session.value = found;
      sessionProblem.value = undefined;
      isExpired.value = false;
      if (to !== undefined) navigate(to);
    });
  } catch (error) {
    sessionProblem.value = asProblem(error);
  }
}

/** Ends the session. Without `to` the page stays, and asks for a sign-in if it needs one. */
export async function signOut(to?: string): Promise<void> {
  forgetUnsavedInput();
  await call('POST', '/session/sign-out', {});
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

// An answer said that the session has ended.
effect(() => {
  if (sessionEndings.value > 0 && !untracked(keepsInput)) untracked(showSignedOut);
});
