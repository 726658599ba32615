/** The values of a provider's form. Texts are those of its fields. */
export type ProviderDraft = {
  /** The id of a built-in provider, or empty for another address. */
  builtIn: string;
  id: string;
  baseUrl: string;
  wire: string;
  way: 'api_key' | 'aws' | 'azure' | 'google';
  apiKey: string;
  region: string;
};

export const emptyDraft: ProviderDraft = {
  builtIn: '',
  id: '',
  baseUrl: '',
  wire: 'openai-chat',
  way: 'api_key',
  apiKey: '',
  region: '',
};

const CLOUD_REGIONS: readonly string[] = ['aws', 'google'];
export const hasRegion = ({ way }: Pick<ProviderDraft, 'way'>): boolean => CLOUD_REGIONS.includes(way);

/** Returns the credential of a body. A cloud's is found by its usual sources. */
function credentialOf({ way, apiKey, region }: ProviderDraft): Record<string, unknown> {
  if (way === 'api_key') return apiKey === '' ? {} : { api_key: apiKey };
  return { [way]: hasRegion({ way }) && region !== '' ? { region } : {} };
}

/** Returns the body that stores or tests the provider. */
export const bodyOfDraft = (draft: ProviderDraft) => ({
  id: draft.builtIn || draft.id,
  ...(draft.baseUrl !== '' && { base_url: draft.baseUrl }),
  ...(draft.builtIn === '' && { wire: draft.wire }),
  ...credentialOf(draft),
});

/** The wires that the form offers. The command line and the file have all. */
export const wireOptions = [
  { value: 'openai-chat', label: 'OpenAI chat completions' },
  { value: 'openai-responses', label: 'OpenAI responses' },
  { value: 'anthropic-messages', label: 'Anthropic messages' },
  { value: 'google-generate', label: 'Google generateContent' },
  { value: 'google-interactions', label: 'Google Interactions' },
  { value: 'bedrock-converse', label: 'Bedrock Converse' },
  { value: 'openai-embeddings', label: 'OpenAI embeddings' },
] as const;

export const wayOptions = [
  { value: 'api_key', label: 'API key' },
  { value: 'aws', label: 'AWS credentials of this machine' },
  { value: 'azure', label: 'Microsoft Entra ID of this machine' },
  { value: 'google', label: 'Google Cloud credentials of this machine' },
] as const;
