import type { ErrorCode } from '../../../src/base/errors/catalogue.ts';

/**
 * The cause of an error code and its remedy. `docs/errors.md` is generated from this table and the catalogue.
 */
type ErrorRemedy = { cause: string; remedy: string };

export const errorRemedies: Readonly<Record<ErrorCode, ErrorRemedy>> = {
  invalid_json: {
    cause:
      'The body is empty, is not UTF-8, is not JSON, is nested over 200 levels, or has two members of the same name in an object.',
    remedy: 'Send one JSON object.',
  },
  invalid_request: {
    cause: 'A field is missing or has a wrong type or value, or the provider refused the request with a 400.',
    remedy: 'Correct the field that `param` or the message names.',
  },
  context_length_exceeded: {
    cause: 'The prompt exceeds the context window of the model.',
    remedy: 'Shorten the conversation, or choose a model with a larger `context_window`.',
  },
  content_filter: {
    cause: 'A safety system of the provider blocked the prompt.',
    remedy: 'Change the prompt. A retry gets the same answer.',
  },
  plan_upgrade_required: {
    cause: "The model belongs to a higher plan than the account's.",
    remedy: "Choose a model of the plan, or have the operator change the account's plan.",
  },
  payg_required: {
    cause: 'No plan includes the model.',
    remedy: 'Send `x-svc-payment-mode: payg`. The account needs purchased credit.',
  },
  input_exceeds_plan: {
    cause: 'The prompt has more tokens than `max_prompt_tokens` of the plan.',
    remedy: 'Shorten the prompt, or change to a higher plan.',
  },
  verification_required: {
    cause: '`auth.require_verified_email` is on, and the email address of a Free account is not verified.',
    remedy: 'The operator sets `email_verified` of the account.',
  },
  payg_batch_not_supported: {
    cause: 'A batch was created in pay-as-you-go mode.',
    remedy: 'Create the batch with monthly credits: `x-svc-payment-mode: subscription` or another key.',
  },
  missing_api_key: {
    cause:
      "Neither `authorization` nor `x-api-key` has a key. Gemini's endpoints take it in `x-goog-api-key` or in the query.",
    remedy: "Set the client's API key. Some clients send none if their variable is empty.",
  },
  invalid_api_key: {
    cause: 'The key is mistyped or unknown, or the endpoint expects it in the other header.',
    remedy:
      'Copy the key again. If it is right, see [the accepted headers](specification/authentication.md#headers).',
  },
  revoked_api_key: {
    cause:
      'The API key or admin token was revoked, has expired, or was replaced by a rotation. The message says which.',
    remedy:
      'Create another key and replace it in the client. A later `expires_at` makes an expired API key valid again.',
  },
  allowance_exhausted: {
    cause: "The month's credits are used up.",
    remedy: 'Wait until `resets_at`, change to a higher plan, or pay with purchased credit.',
  },
  credit_used_up: {
    cause: 'A Free account has used the credits that are granted once.',
    remedy: 'Change to a paid plan, or pay with purchased credit.',
  },
  token_allowance_exhausted: {
    cause: 'A Free account has used its tokens of the UTC day.',
    remedy: 'Wait until midnight UTC, or change to a paid plan.',
  },
  paid_credit_required: {
    cause: 'The request is in pay-as-you-go mode, and the account has no purchased credit.',
    remedy: 'The operator adds credit with `bin/tollgate account purchase ACCOUNT USD`.',
  },
  insufficient_paid_credit: {
    cause: 'The highest cost of the request exceeds the purchased credit that is not held.',
    remedy: 'Lower the output ceiling (`max_tokens`), or purchase credit.',
  },
  subscription_required: {
    cause: 'The request asks for monthly credits, and the account is a Pay as you go account.',
    remedy: 'Leave out `x-svc-payment-mode: subscription`.',
  },
  key_budget_exhausted: {
    cause:
      'The key has reached its `monthly_cap_usd`, or a [budget](budgets.md) has no room. The member `budget` of the error names it.',
    remedy: 'Wait for the next window in UTC, raise the cap or the budget, or use another key.',
  },
  account_suspended: {
    cause: 'The operator has suspended the account.',
    remedy: 'The operator sets the `status` of the account to `active`.',
  },
  account_closed: {
    cause: 'The account is closed.',
    remedy: 'The operator reopens the account with `bin/tollgate account reopen ACCOUNT`.',
  },
  permission_denied: {
    cause:
      'The model is not in the `allowed_models` of the key. In the admin API, the role of the token does not allow the request.',
    remedy:
      'Choose an allowed model, or have the operator change the list. For the admin API, use a token with a higher role.',
  },
  recent_sign_in_required: {
    cause:
      'A person changes who can sign in and how, or ends sessions, and signed in more than ten minutes ago. Only the dashboard has this code.',
    remedy: 'Sign in again. The page asks for it, and then repeats the change.',
  },
  not_found: {
    cause:
      'The path does not exist, often because the base URL lacks `/v1` or has it twice. A resource of another key gets this code too.',
    remedy:
      'Use the base URL that the message gives. [Clients](clients/README.md) has the base URL of each client.',
  },
  unknown_model: {
    cause: 'The catalog has no model of this name.',
    remedy: 'Take a name from `GET /v1/models`.',
  },
  model_unavailable: {
    cause: 'The catalog has the model, but no provider that serves it is set up.',
    remedy:
      'Choose another model. The operator finds the missing variables with `bin/tollgate provider list`.',
  },
  method_not_allowed: {
    cause: 'The path exists, but not for this method.',
    remedy: 'Use a method of the `Allow` header.',
  },
  idempotency_conflict: {
    cause: 'The idempotency key was used before, with another body.',
    remedy: 'Use a new idempotency key for a new request.',
  },
  batch_creation_in_progress: {
    cause: 'The first request with this idempotency key has not been answered yet.',
    remedy: 'Send the request again after a few seconds.',
  },
  conversation_locked: {
    cause: 'Another request is reading and extending the same conversation.',
    remedy: 'Retry when the other request has ended, or use a conversation of its own.',
  },
  batch_not_ended: {
    cause: 'The results of a batch were requested before it ended.',
    remedy: 'Poll the batch until it has ended.',
  },
  conflict: {
    cause:
      'The resource has changed since it was read, or its state does not allow the change. Only the admin API has this code.',
    remedy: 'Read the resource again and repeat the change.',
  },
  limit_reached: {
    cause:
      'The organization has as many working API keys, members or open invitations as `limits` allows. Only the dashboard and the admin API have this code.',
    remedy: 'Revoke or remove one that is not needed, or ask the operator for a higher limit.',
  },
  request_timeout: {
    cause: 'The body did not arrive within `server.body_timeout_s`, or arrived too slowly.',
    remedy: 'Send the request again. A proxy must not hold back the body.',
  },
  endpoint_retired: {
    cause: 'The endpoint is retired, or the results of an expired batch are deleted.',
    remedy: 'Use the endpoint that the message names. Read the results of a batch before it expires.',
  },
  body_too_large: {
    cause: 'The decoded body exceeds 10 MB, or a form with files exceeds `limits.max_upload_mb`.',
    remedy: 'Send fewer or smaller images and documents.',
  },
  route_not_qualified: {
    cause:
      'The model or each of its providers lacks a capability that the request needs, or the operator does not allow a field. A provider that answers 501, or 404 about a feature, lacks it.',
    remedy: 'Leave out the field that `param` names, or choose a model with the capability.',
  },
  request_unprocessable: {
    cause: 'The provider answered 413 or 422.',
    remedy: 'Make the request smaller or simpler. The message or the record of the request has the reason.',
  },
  native_batch_unavailable: {
    cause:
      'The batch has the mode `native-required`, and no provider with `batch: native` serves its models.',
    remedy: "Use another batch mode, or have the operator set `batch: native` in a provider's row.",
  },
  upgrade_required: {
    cause:
      'The client tried to open a WebSocket where there is none, or a proxy removed the `Upgrade` header.',
    remedy: 'None is needed if the client falls back to HTTP. Otherwise switch off WebSockets in the client.',
  },
  rate_limit_exceeded: {
    cause:
      "The requests of the account or of the key in a window are used up, or the account's storage is. In the admin API, the client network sent too many wrong tokens.",
    remedy: "Wait for `retry-after`. The keys of an account share the plan's limits.",
  },
  concurrency_limit_exceeded: {
    cause: 'The account has as many requests under way as its plan allows, or the key as its `limits` allow.',
    remedy: 'Send fewer requests at a time. Agents send several at once.',
  },
  tokens_per_minute_exceeded: {
    cause: "The tokens of the last 60 seconds are used up, either the plan's or those of the key's `limits`.",
    remedy: 'Wait for `retry-after`, or send shorter prompts.',
  },
  network_rate_limited: {
    cause: 'The Free accounts of one client network have used up the requests of a minute.',
    remedy: 'Wait for `retry-after`. Behind a proxy, the operator lists it in `server.trusted_proxies`.',
  },
  internal_error: {
    cause: 'The gateway has a fault.',
    remedy:
      'Report the fault with the log line of the request, and with its event `unexpected-failure`, which has the stack.',
  },
  capacity_unavailable: {
    cause:
      'All slots are taken and the wait is too long, the server is overloaded or stopping, or its store is unavailable.',
    remedy:
      'Wait for `retry-after`. `/readyz` and `bin/tollgate provider list` show the operator the reason.',
  },
  upstream_overloaded: {
    cause: 'Each provider of the model answered 429, 503 or 529.',
    remedy: 'Wait for `retry-after`. The operator raises the limits at the provider or adds a route.',
  },
  upstream_unavailable: {
    cause: 'Each provider of the model is unreachable, refuses its key, or answers with an error.',
    remedy: 'Wait and retry. The operator finds the cause with `bin/tollgate requests show ID`.',
  },
  upstream_timeout: {
    cause: "The provider exceeded one of its row's `timeouts`, or itself answered 408 or 504.",
    remedy: 'Retry with a stream or a shorter answer. The operator can raise `timeouts.first_byte_ms`.',
  },
};
