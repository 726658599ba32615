/** A message of a request to a host. Members besides these two depend on the role. */
export type HostMessage = {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: unknown;
  [member: string]: unknown;
};
