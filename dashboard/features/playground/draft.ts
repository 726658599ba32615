import { DRAFT } from '../../app/drafts.ts';
import type { Turn } from './conversation.ts';
import type { Settings } from './settings.ts';

/**
 * The state that the page keeps while the tab is open. The model and the dialect are in the address instead.
 */
export type Draft = {
  settings: Omit<Settings, 'model' | 'dialect'>;
  turns: readonly Turn[];
  text: string;
};

/** The draft of a person who has typed nothing. */
export const emptyDraft: Draft = {
  settings: {
    stream: true,
    system: '',
    maxTokens: '1024',
    temperature: '',
    stop: '',
    effort: '',
    tools: '',
    schema: '',
    payAsYouGo: false,
    store: false,
  },
  turns: [],
  text: '',
};

const KEY = `${DRAFT}playground`;

/** A draft in the storage. An older version of the page may have written it, so members can be missing. */
type StoredDraft = Partial<Draft> & { owner?: string };

/** Reads the draft of this tab. That of another person or organization is not shown. */
export function readDraft(storage: Pick<Storage, 'getItem'>, owner: string): Draft {
  try {
    const { owner: draftOwner, ...draft } = JSON.parse(storage.getItem(KEY) ?? '{}') as StoredDraft;
    if (draftOwner !== owner) return emptyDraft;
    return { ...emptyDraft, ...draft, settings: { ...emptyDraft.settings, ...draft.settings } };
  } catch {
    return emptyDraft;
  }
}

/** Keeps the draft. If the browser has no space for the images, the draft is kept without them. */
export function keepDraft(storage: Pick<Storage, 'setItem'>, owner: string, draft: Draft): void {
  const attempts = [draft, { ...draft, turns: draft.turns.map(withoutImages) }];
  for (const attempt of attempts)
    try {
      storage.setItem(KEY, JSON.stringify({ owner, ...attempt }));
      return;
    } catch {
      // The next attempt needs less space.
    }
}

const withoutImages = (turn: Turn): Turn => (turn.role === 'user' ? { ...turn, images: [] } : turn);
