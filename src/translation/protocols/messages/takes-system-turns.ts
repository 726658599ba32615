import type { EncodeTarget } from '../../contract/encode-target.ts';

/**
 * The vendor's models from Opus 4.8 on, except Sonnet 5. Other hosts of this protocol have other models.
 * https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages
 */
const NEWER_CLAUDE =
  /^claude-(?:opus-(?:4-[89]|[5-9])|sonnet-(?:5-\d|[6-9])|haiku-(?:5-\d|[6-9])|fable-\d|mythos-\d)(?!\d)/;

/** Reports whether the model accepts system messages between the turns. */
export const takesSystemTurns = ({ upstreamModel, refusesSystemTurns }: EncodeTarget): boolean =>
  !refusesSystemTurns && NEWER_CLAUDE.test(upstreamModel);
