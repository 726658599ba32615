/** Members that make the provider use another model, provider, address or key. */
// biome-ignore format: a line for each group
const ofRouting = [
  'adapter_id', 'deployment', 'deployment_id', 'deployment_url', 'engine', 'fallbacks', 'gateway',
  'context_window_fallback_dict', 'content_policy_fallbacks', 'custom_llm_provider', 'litellm_params',
  'litellm_metadata', 'litellm_credential_name', 'litellm_embedding_config', 'lora', 'lora_request',
  'model_group', 'model_list', 'models', 'plugins', 'preset', 'provider', 'providerOptions',
  'provider_options', 'providers', 'proxy', 'route', 'router', 'transforms', 'user_config', 'api_base',
  'api_key', 'api_type', 'api_version', 'base_url', 'endpoint', 'organization', 'project', 'callbacks',
  'callback_url', 'default_headers', 'extra_body', 'extra_headers', 'extra_query', 'headers',
  'langfuse_host', 'langfuse_public_key', 'langfuse_secret', 'langfuse_secret_key', 'webhook_config',
  'webhook_url', 'azure_ad_token', 'azure_endpoint', 'vertex_credentials', 'vertex_location',
  'vertex_project', 'aws_access_key_id', 'aws_secret_access_key', 'aws_session_token',
  'aws_session_name', 'aws_role_name', 'aws_profile_name', 'aws_region_name', 'aws_web_identity_token',
  'aws_sts_endpoint', 'aws_bedrock_runtime_endpoint', 's3_endpoint_url', 'sagemaker_base_url',
] as const;

/** Members that name resources in the operator's account at the vendor, which all clients would share. */
// biome-ignore format: a line for each group
const ofAccount = [
  'access_programs', 'agent', 'agent_config', 'assistant_id', 'billing_policy', 'cached_content',
  'collection_ids', 'container', 'conversation', 'data_sources', 'dataSources', 'environment',
  'file_id', 'file_ids', 'guardrail_id', 'knowledge_base_ids', 'knowledge_id', 'library_ids',
  'mcp_servers', 'skills', 'thread_id', 'tool_resources', 'user_profile_id', 'vector_store_ids',
  'workspace_id',
] as const;

/** Reserved members that are inside another member. */
const ofMembers = ['audio.id', 'prompt.id'] as const;

/** Headers that name resources in the operator's account. */
export const accountHeaders = ['anthropic-workspace-id', 'anthropic-user-profile-id'] as const;

/** Addresses of images and documents, for providers inside the operator's network. */
export const MEDIA_URLS = 'media_urls';

/** Reserved members at the top level of a body. */
export const reservedMembers = [...ofRouting, ...ofAccount] as const;

/** Everything that reaches a provider only if its row consents, under the names that the row uses. */
export const reservedFields = [...reservedMembers, ...ofMembers, ...accountHeaders, MEDIA_URLS] as const;

export type ReservedField = (typeof reservedFields)[number];
