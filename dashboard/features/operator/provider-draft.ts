import type { Wire } from '../../../src/translation/canonical/wire.ts';
import type { Option } from '../../components/select.tsx';
import type { ProviderRow } from './rows.ts';

/** The values of a provider's form. The texts are the contents of its fields. */
export type ProviderDraft = {
  /** The id of a built-in provider, or empty for another address. */
  builtIn: string;
  id: string;
  baseUrl: string;
  wire: Wire;
  credentialKind: CredentialKind;
  apiKey: string;
  region: string;
};

type CredentialKind = NonNullable<ProviderRow['credential']>['kind'];

/** The first values of the form of a new provider. */
export const emptyProviderDraft: ProviderDraft = {
  builtIn: '',
  id: '',
  baseUrl: '',
  wire: 'openai-chat',
  credentialKind: 'api_key',
  apiKey: '',
  region: '',
};

/** The wires that the form offers. The command line and the file have all wires. */
export const wireOptions: readonly Option<Wire>[] = [
  { value: 'openai-chat', label: 'OpenAI chat completions' },
  { value: 'openai-responses', label: 'OpenAI responses' },
  { value: 'anthropic-messages', label: 'Anthropic messages' },
  { value: 'google-generate', label: 'Google generateContent' },
  { value: 'google-interactions', label: 'Google Interactions' },
  { value: 'bedrock-converse', label: 'Bedrock Converse' },
  { value: 'openai-embeddings', label: 'OpenAI embeddings' },
];

/** The kinds of credentials, in the order of the choice. */
export const credentialLabels: Readonly<Record<CredentialKind, string>> = {
  api_key: 'API key',
  aws: 'AWS credentials of this machine',
  azure: 'Microsoft Entra ID of this machine',
  google: 'Google Cloud credentials of this machine',
};

/** Reports whether the credential belongs to a cloud with regions. */
export const hasRegion = ({ credentialKind }: ProviderDraft): boolean =>
  credentialKind === 'aws' || credentialKind === 'google';

/** Returns the credential of a body. The server finds a cloud's credential in its usual sources. */
function credentialOf(draft: ProviderDraft): Record<string, unknown> {
  const { credentialKind, apiKey, region } = draft;
  if (credentialKind === 'api_key') return apiKey === '' ? {} : { api_key: apiKey };
  return { [credentialKind]: hasRegion(draft) && region !== '' ? { region } : {} };
}

/** Returns the body that stores or tests the provider. */
export const bodyOfDraft = (draft: ProviderDraft) => ({
  id: draft.builtIn || draft.id,
  ...(draft.baseUrl !== '' && { base_url: draft.baseUrl }),
  ...(draft.builtIn === '' && { wire: draft.wire }),
  ...credentialOf(draft),
});
