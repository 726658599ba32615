import type { ConversationPart, ConversationStore } from '../../inference/conversation/conversation-store.ts';
import type { ContentSeal } from './content-seal.ts';

const placeOf = (id: string): string => JSON.stringify(['conversation', id]);
const lists = ['input', 'output', 'shownInput', 'shownOutput'] as const;

/** The methods of conversations that write and read content. */
type Content = Pick<
  ConversationStore,
  'createConversation' | 'findConversation' | 'addPart' | 'replacePart' | 'setMetadata' | 'loadParts'
>;

/** Encrypts the items that a request adds to a conversation. */
export function sealAddition<Part extends Omit<ConversationPart, 'model'>>(
  seal: ContentSeal,
  part: Part,
  id: string,
): Part {
  const texts = lists.map((name) => [name, seal.seal(part[name], placeOf(id))] as const);
  return { ...part, ...Object.fromEntries(texts) };
}

/** Encrypts the items and the metadata of conversations. */
export function sealedConversations(store: Content, seal: ContentSeal): Content {
  return {
    createConversation: (created) =>
      store.createConversation({ ...created, metadata: seal.seal(created.metadata, placeOf(created.id)) }),
    async findConversation(wanted) {
      const found = await store.findConversation(wanted);
      return found && { ...found, metadata: await seal.open(found.metadata, placeOf(found.id)) };
    },
    addPart: (change) => store.addPart({ ...change, part: sealAddition(seal, change.part, change.id) }),
    replacePart: (change) =>
      store.replacePart({ ...change, part: sealAddition(seal, change.part, change.id) }),
    setMetadata: (change) =>
      store.setMetadata({ ...change, metadata: seal.seal(change.metadata, placeOf(change.id)) }),
    async loadParts(wanted) {
      const parts = await store.loadParts(wanted);
      return Promise.all(
        parts.map(async (part) => {
          const open = async (name: (typeof lists)[number]) =>
            [name, await seal.open(part[name], placeOf(wanted.id))] as const;
          return { ...part, ...Object.fromEntries(await Promise.all(lists.map(open))) };
        }),
      );
    },
  };
}
