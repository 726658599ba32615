/** The known protocols, as dialects, as wires, or both. */
export const protocolIds = [
  'chat-completions',
  'responses',
  'messages',
  'google',
  'interactions',
  'bedrock',
  'completions',
] as const;
export type ProtocolId = (typeof protocolIds)[number];
