/** The APIs that we know, as dialects, as wires, or both. */
export const protocolIds = ['chat-completions', 'responses', 'messages', 'google', 'bedrock'] as const;
export type ProtocolId = (typeof protocolIds)[number];
