import { useEffect, useState } from 'preact/hooks';
import type { PlaygroundOptions } from '../../../src/console/dashboard/playground-schema.ts';
import type { PromptContent } from '../../../src/console/dashboard/prompt-schema.ts';
import { queryValue, setQuery } from '../../app/address.ts';
import { organization, person } from '../../app/session.ts';
import type { Settings, Turn } from './conversation.ts';
import { type Draft, emptyDraft, isDialect, keepDraft, readDraft } from './draft.ts';

export type UsedDraft = {
  settings: Settings;
  turns: readonly Turn[];
  text: string;
  change(settings: Partial<Settings>): void;
  setText(text: string): void;
  setTurns(turns: readonly Turn[]): void;
  clear(): void;
  /** Shows a kept prompt in place of everything on the page. */
  open(content: PromptContent): void;
};

/**
 * Returns the draft of this tab. The model and the dialect are in the address, so that a link can name them.
 */
export function useDraft({ models }: PlaygroundOptions): UsedDraft {
  const owner = `${person.value?.id}/${organization.value?.id}`;
  const [draft, setDraft] = useState<Draft>(() => readDraft(sessionStorage, owner));
  useEffect(() => keepDraft(sessionStorage, owner, draft), [draft]);
  const dialectName = queryValue('dialect', 'messages');
  const settings: Settings = {
    ...draft.settings,
    model: queryValue('model') || firstModel(models),
    dialect: (isDialect(dialectName) ? dialectName : 'messages') as Settings['dialect'],
  };
  return {
    settings,
    turns: draft.turns,
    text: draft.text,
    change({ model, dialect, ...rest }) {
      if (model !== undefined || dialect !== undefined)
        setQuery({ model: model ?? queryValue('model'), dialect: dialect ?? dialectName });
      if (Object.keys(rest).length > 0)
        setDraft((old) => ({ ...old, settings: { ...old.settings, ...rest } }));
    },
    setText: (text) => setDraft((old) => ({ ...old, text })),
    setTurns: (turns) => setDraft((old) => ({ ...old, turns })),
    open({ model, dialect, settings: opened, turns, text }) {
      setDraft({
        settings: { ...emptyDraft.settings, ...(opened as Partial<Draft['settings']>) },
        turns: turns as Turn[],
        text,
      });
      setQuery({ model, dialect, from: null });
    },
    clear: () => setDraft((old) => ({ ...emptyDraft, settings: old.settings })),
  };
}

/** Returns a model that the plan pays for, so that a first request succeeds. */
const firstModel = (models: PlaygroundOptions['models']): string =>
  (models.find(({ included }) => included) ?? models[0])?.id ?? '';
