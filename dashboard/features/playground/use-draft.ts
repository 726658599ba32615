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
  const owner = `${person.value?.id}/${organization.value?.id}`;
  const [draft, setDraft] = useState<Draft>(() => readDraft(sessionStorage, owner));
  // The owner never changes, since the page of another person or organization is a new component.
  useEffect(() => keepDraft(sessionStorage, owner, draft), [draft]);
  const latest = useRef(draft);
  latest.current = draft;
  // A reload ends a request under way. The page does not live until the effect of its failure.
  useEffect(() => {
    const keep = () => keepDraft(sessionStorage, owner, latest.current);
    addEventListener('pagehide', keep);
    return () => removeEventListener('pagehide', keep);
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
    keepTurns: (turns) => keepDraft(sessionStorage, owner, { ...draft, turns }),
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

/** Returns a model that the plan pays for, so that a first request succeeds. */
const firstModel = (models: PlaygroundOptions['models']): string =>
  (models.find(({ included }) => included) ?? models[0])?.id ?? '';
