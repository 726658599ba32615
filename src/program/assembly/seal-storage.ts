import { joinParts } from '../../store/join-parts.ts';
import type { ContentSeal } from '../../store/sealed/content-seal.ts';
import { sealedBackground } from '../../store/sealed/sealed-background.ts';
import { sealedConversations } from '../../store/sealed/sealed-conversations.ts';
import { sealedPayloads } from '../../store/sealed/sealed-payloads.ts';
import { sealedRecordings } from '../../store/sealed/sealed-recordings.ts';
import { sealedResponses } from '../../store/sealed/sealed-responses.ts';
import type { Storage } from './storage.ts';

/** Lets the parts of the storage that have the content of customers encrypt and decrypt it. */
export function sealStorage(storage: Storage, seal: ContentSeal): void {
  const { store, conversations, background, recordings, payloads } = storage;
  storage.store = joinParts(sealedResponses(store, seal), store);
  storage.conversations = joinParts(sealedConversations(conversations, seal), conversations);
  storage.background = joinParts(sealedBackground(background, seal), background);
  storage.recordings = joinParts(sealedRecordings(recordings, seal), recordings);
  storage.payloads = joinParts(sealedPayloads(payloads, seal), payloads);
}
