/** The known protocols, as dialects, as wires, or both. */
export const protocolIds = [
  'chat-completions',
  'responses',
  'messages',
  'google',
  'bedrock',
  'completions',
] as const;
export type ProtocolId = (typeof protocolIds)[number];
