import { Input } from '../../components/input.tsx';
import { optionsOf } from '../../components/options-of.ts';
import { Select } from '../../components/select.tsx';
import { credentialLabels, hasRegion, type ProviderDraft, wireOptions } from './provider-draft.ts';

type FieldsProps = { draft: ProviderDraft; change: (fields: Partial<ProviderDraft>) => void };

/** The address of a provider, with its id and its wire if it is not built in. */
export const AddressFields = ({ draft, change }: FieldsProps) =>
  draft.builtIn === '' ? (
    <>
      <Input label="Id" name="id" isRequired value={draft.id} onInput={(id) => change({ id })} />
      <Input
        label="Base URL"
        name="base_url"
        type="url"
        isRequired
        placeholder="https://api.example.com/v1"
        value={draft.baseUrl}
        onInput={(baseUrl) => change({ baseUrl })}
      />
      <Select
        label="Wire"
        name="wire"
        hint="The protocol of the provider."
        value={draft.wire}
        onChange={(wire) => change({ wire })}
        options={wireOptions}
      />
    </>
  ) : (
    <Input
      label="Base URL"
      name="base_url"
      type="url"
      hint="Leave it empty for the usual address."
      value={draft.baseUrl}
      onInput={(baseUrl) => change({ baseUrl })}
    />
  );

/** The kind of the credential, and its key or its region. */
export const CredentialFields = ({ draft, change }: FieldsProps) => (
  <>
    <Select
      label="Credential"
      value={draft.credentialKind}
      onChange={(credentialKind) => change({ credentialKind })}
      options={optionsOf(credentialLabels)}
    />
    {draft.credentialKind === 'api_key' && (
      <Input
        label="API key"
        name="api_key"
        type="password"
        autocomplete="off"
        hint="Leave it empty if the provider needs none."
        value={draft.apiKey}
        onInput={(apiKey) => change({ apiKey })}
      />
    )}
    {hasRegion(draft) && (
      <Input label="Region" name="region" value={draft.region} onInput={(region) => change({ region })} />
    )}
  </>
);
