import { DRAFT } from '../../app/drafts.ts';
import type { Settings, Turn } from './conversation.ts';
import { dialects } from './dialects.ts';

/**
 * The state that the page keeps while the tab is open. The model and the dialect are in the address instead.
 */
export type Draft = {
  settings: Omit<Settings, 'model' | 'dialect'>;
  turns: readonly Turn[];
  text: string;
};

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

type Kept = Partial<Draft> & { owner?: string };

/** Reads the draft of this tab. That of another person or organization is not shown. */
export function readDraft(storage: Pick<Storage, 'getItem'>, owner: string): Draft {
  try {
    const { owner: draftOwner, ...draft } = JSON.parse(storage.getItem(KEY) ?? '{}') as Kept;
    if (draftOwner !== owner) return emptyDraft;
    return { ...emptyDraft, ...draft, settings: { ...emptyDraft.settings, ...draft.settings } };
  } catch {
    return emptyDraft;
  }
}

/** Keeps the draft. If the browser has no space for the images, the draft is kept without them. */
export function keepDraft(storage: Pick<Storage, 'setItem'>, owner: string, draft: Draft): void {
  for (const one of [draft, { ...draft, turns: draft.turns.map(withoutImages) }])
    try {
      storage.setItem(KEY, JSON.stringify({ owner, ...one }));
      return;
    } catch {
      // The next round needs less space.
    }
}

const withoutImages = (turn: Turn): Turn => (turn.role === 'user' ? { ...turn, images: [] } : turn);

export const isDialect = (id: string): boolean => dialects.some((dialect) => dialect.id === id);
