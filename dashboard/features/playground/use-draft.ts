import { useEffect, useRef, useState } from 'preact/hooks';
import type { PlaygroundOptions } from '../../../src/console/dashboard/playground-schema.ts';
import type { PromptContent } from '../../../src/console/dashboard/prompt-schema.ts';
import { queryValue, setQuery } from '../../app/address.ts';
import { organization, person } from '../../app/session.ts';
import type { Turn } from './conversation.ts';
import { dialectNamed } from './dialects.ts';
import { type Draft, emptyDraft, keepDraft, readDraft } from './draft.ts';
import type { Settings } from './settings.ts';

export type DraftState = {
  settings: Settings;
  turns: readonly Turn[];
  text: string;
  change(settings: Partial<Settings>): void;
  setText(text: string): void;
  setTurns(turns: readonly Turn[]): void;
  /** Keeps the draft with these turns, for the next time that the page is opened. */
  keepTurns(turns: readonly Turn[]): void;
  clear(): void;
  /** Shows a kept prompt in place of everything on the page. */
  open(content: PromptContent): void;
};

/**
 * Returns the draft of this tab. The model and the dialect are in the address, so that a link can name them.
 */
export function useDraft({ models }: PlaygroundOptions): DraftState {
  // The owner never changes, since the page of another person or organization is a new component.
  const [owner] = useState(presentOwner);
  const [draft, setDraft] = useState<Draft>(() => readDraft(sessionStorage, owner));
  // The page can outlive the session for a moment, and a sign-out has removed the draft.
  const keep = (kept: Draft) => {
    if (presentOwner() === owner) keepDraft(sessionStorage, owner, kept);
  };
  useEffect(() => keep(draft), [draft]);
  const latest = useRef(draft);
  latest.current = draft;
  // A reload ends a request under way. The page does not live until the effect of its failure.
  useEffect(() => {
    const keepLatest = () => keep(latest.current);
    addEventListener('pagehide', keepLatest);
    return () => removeEventListener('pagehide', keepLatest);
  }, []);
  const dialect = dialectNamed(queryValue('dialect'));
  const model = queryValue('model') || firstModel(models);
  return {
    settings: { ...draft.settings, model, dialect },
    turns: draft.turns,
    text: draft.text,
    change({ model: chosenModel, dialect: chosenDialect, ...others }) {
      if (chosenModel !== undefined || chosenDialect !== undefined)
        setQuery({ model: chosenModel ?? queryValue('model'), dialect: chosenDialect ?? dialect });
      if (Object.keys(others).length > 0)
        setDraft((old) => ({ ...old, settings: { ...old.settings, ...others } }));
    },
    setText: (text) => setDraft((old) => ({ ...old, text })),
    setTurns: (turns) => setDraft((old) => ({ ...old, turns })),
    keepTurns: (turns) => keep({ ...draft, turns }),
    open({ settings: opened, turns, text, ...choice }) {
      // The server keeps the settings and the turns as this page wrote them.
      const openedSettings = opened as Partial<Draft['settings']>;
      setDraft({
        settings: { ...emptyDraft.settings, ...openedSettings },
        turns: turns as Turn[],
        text,
      });
      setQuery({ model: choice.model, dialect: choice.dialect, from: null });
    },
    clear: () => setDraft((old) => ({ ...emptyDraft, settings: old.settings })),
  };
}

/** Returns the person and the organization of the page, to whom a draft belongs. */
const presentOwner = (): string => `${person.peek()?.id}/${organization.peek()?.id}`;

/** Returns a model that the plan pays for, so that a first request succeeds. */
const firstModel = (models: PlaygroundOptions['models']): string =>
  (models.find(({ included }) => included) ?? models[0])?.id ?? '';
