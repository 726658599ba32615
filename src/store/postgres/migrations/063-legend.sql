-- The legend of the tables, which `\d+` shows: units, encodings, what null means, and who writes a column whose name
-- does not say it. A migration that adds a table or such a column comments on it.
--
-- These rules hold in all tables. Times are milliseconds since 1970 in UTC, and columns named `hour` and `day` count
-- hours and days since 1970. Amounts of money are micro-credits. `sequence` is the order of creation. `version` and
-- `revision` grow with each change, and a writer that has read an older one is refused. JSON is kept as text. Keys,
-- tokens and codes that let somebody in are kept as hashes.

COMMENT ON TABLE account IS 'Customers, each with one plan. Their balances are in bucket.';
COMMENT ON COLUMN account.pending_plan IS 'A cheaper plan that takes effect at the next renewal. Null means none.';
COMMENT ON COLUMN account.price_usd_per_month IS
  'A price kept from an earlier price list. Null means the price of the plan.';
COMMENT ON COLUMN account.plan_overrides IS
  'JSON of agreed figures, each of which replaces one of the plan. Null means none.';
COMMENT ON COLUMN account.cycle_day IS 'The day of the month on which cycles start. Shorter months use their last day.';
COMMENT ON COLUMN account.unpaid_from IS
  'Cycles that start from this time on are not paid yet. Null means that all are paid.';
COMMENT ON COLUMN account.hosted_tools_stopped IS
  'True if hosted tools are removed or refused, because of many shortfalls.';
COMMENT ON COLUMN account.budgets IS 'The number of budgets of the account, as count_budgets() has counted them.';

COMMENT ON TABLE account_head IS
  'The last entry of the chain of each account. Its lock guards the balances, holds and budgets of the account.';
COMMENT ON COLUMN account_head.sequence IS 'The place of the last entry in the chain. 0 means that there is no entry.';
COMMENT ON COLUMN account_head.has_budgets IS 'True if the account has budgets, as count_budgets() has counted them.';

COMMENT ON TABLE account_storage IS
  'The stored bytes of each account: their sum, and the part that expires in each second.';
COMMENT ON COLUMN account_storage.until IS
  'The second of the expiry, counted since 1970. 0 means the row with the sum.';

COMMENT ON TABLE admin_token IS 'Named tokens of the admin API.';
COMMENT ON COLUMN admin_token.hash IS 'The SHA-256 of the token, in hexadecimal.';
COMMENT ON COLUMN admin_token.previous_hash IS
  'The hash before the latest rotation, which is valid until previous_ends_at. Null means none.';

COMMENT ON TABLE alert IS
  'Alerts of the gateway and of organizations. New ones replace the oldest ones of their owner.';
COMMENT ON COLUMN alert.owner IS 'The account of the organization. It is empty for the gateway.';

COMMENT ON TABLE alert_delivery IS 'The deliveries of alerts, one for each webhook or mail address.';
COMMENT ON COLUMN alert_delivery.webhook IS 'The id of the recipient, which is a hash of its address.';
COMMENT ON COLUMN alert_delivery.host IS 'The origin of the webhook''s address, or "mail".';
COMMENT ON COLUMN alert_delivery.state IS 'waiting, delivered, or dropped (ended without success).';
COMMENT ON COLUMN alert_delivery.status IS
  'The HTTP status of the latest attempt. Null means that there was no answer.';
COMMENT ON COLUMN alert_delivery.held_by IS 'The process that attempts the delivery until held_until.';
COMMENT ON COLUMN alert_delivery.is_organization IS '1 if the recipient is one of an organization, and 0 otherwise.';
COMMENT ON COLUMN alert_delivery.due_at IS
  'The time at which the delivery was first due. The limit per hour counts by it.';

COMMENT ON TABLE alert_occasion IS 'Occasions that were reported, so that no node reports them again.';
COMMENT ON COLUMN alert_occasion.until IS
  'The occasion is not reported again until this time. 9007199254740991 means never.';

COMMENT ON TABLE api_key IS 'API keys.';
COMMENT ON COLUMN api_key.hash IS 'The SHA-256 of the whole key, in hexadecimal.';
COMMENT ON COLUMN api_key.payg IS 'True if requests are pay-as-you-go without the header that asks for it.';
COMMENT ON COLUMN api_key.monthly_cap_usd IS 'The most that the key may spend in a calendar month. Null means no cap.';
COMMENT ON COLUMN api_key.allowed_models IS 'A JSON list of public model ids. Null means all models.';
COMMENT ON COLUMN api_key.limits IS 'JSON of the limits of the key itself. Null means none.';
COMMENT ON COLUMN api_key.previous IS
  'JSON of the secret before the latest rotation: its hash and its end. Null means none.';
COMMENT ON COLUMN api_key.person_id IS 'The member that the key belongs to. Null means none.';
COMMENT ON COLUMN api_key.tags IS 'A JSON list of the tags of its requests. Null means none.';
COMMENT ON COLUMN api_key.retries IS
  'Which requests get an earlier answer: none, keyed (the same idempotency key), or join (retries of SDKs too).';
COMMENT ON COLUMN api_key.resumable IS 'True if streams of the key can be read again from where they broke.';

COMMENT ON TABLE attempt IS 'Attempts to sign in and the like, counted by network, address and device.';
COMMENT ON COLUMN attempt.name IS 'A hash of the kind of the attempt and of what is counted.';
COMMENT ON COLUMN attempt.until IS 'The end of the window of the count.';

COMMENT ON TABLE audit IS 'The audit log. record_audit() writes it as the last step of a change.';
COMMENT ON COLUMN audit.actor IS 'The name of an admin token, the address of a person, admin, bootstrap, or unknown.';
COMMENT ON COLUMN audit.before IS 'JSON of the state before the first change, or null as JSON.';
COMMENT ON COLUMN audit.after IS 'JSON of the state after the last change, or null as JSON.';
COMMENT ON COLUMN audit.changes IS
  'The number of changes that the entry stands for. Changes of one field within ten minutes are joined.';

COMMENT ON TABLE background_frames IS 'The streams of responses in the background, in parts.';
COMMENT ON COLUMN background_frames.part IS
  'Counts from 0. A part is complete if it is below background_response.parts.';
COMMENT ON COLUMN background_frames.frames IS 'The frames as clients get them. The text can be encrypted.';

COMMENT ON TABLE background_response IS 'Responses that are made without a waiting client.';
COMMENT ON COLUMN background_response.until IS
  'The expiry as the bytes are counted: rounded up, so that many rows share one sum.';
COMMENT ON COLUMN background_response.headers IS 'JSON of the headers of the client that change the answer.';
COMMENT ON COLUMN background_response.body IS 'The request. It is empty after the end.';
COMMENT ON COLUMN background_response.envelope IS 'The present state as JSON, which can be encrypted.';
COMMENT ON COLUMN background_response.stored IS 'The bytes that count against the account.';
COMMENT ON COLUMN background_response.parts IS 'The number of complete parts of frames.';
COMMENT ON COLUMN background_response.is_canceled IS '1 if the client has canceled the response, and 0 otherwise.';
COMMENT ON COLUMN background_response.holder IS
  'The process that makes the response until held_until. Null means none.';

COMMENT ON TABLE batch IS 'Batches of requests.';
COMMENT ON COLUMN batch.sequence IS 'The number that the tables of items have in the column batch.';
COMMENT ON COLUMN batch.collection IS 'The API of the batch: messages or chat.';
COMMENT ON COLUMN batch.mode IS 'standard, flex, native-preferred or native-required.';
COMMENT ON COLUMN batch.native IS 'True if the batch runs through the batch APIs of the providers.';
COMMENT ON COLUMN batch.host IS 'The host of the creating request, for URLs in answers.';
COMMENT ON COLUMN batch.deadline_at IS 'The time at which items without a result expire.';
COMMENT ON COLUMN batch.counts IS 'JSON of the final counts by result. Null means that the batch has not ended.';
COMMENT ON COLUMN batch.staged IS 'True if the batch is not complete, so that no client sees it.';
COMMENT ON COLUMN batch.emptied IS 'True if the items are deleted, and only this row is left.';
COMMENT ON COLUMN batch.stored IS
  'The bytes that were counted at the creation. batch_item.delta has the later changes.';
COMMENT ON COLUMN batch.node IS 'The node that stages the batch. Null means none.';
COMMENT ON COLUMN batch.protocol_version IS 'The header anthropic-version of the creating request. Null means none.';

COMMENT ON TABLE batch_item IS 'The items of batches, without their requests and results.';
COMMENT ON COLUMN batch_item.request_id IS 'The id under which the item is charged, whichever attempt succeeds.';
COMMENT ON COLUMN batch_item.deaths IS 'The number of attempts that were in progress when their node ended.';
COMMENT ON COLUMN batch_item.due_at IS
  'The earliest time of the next attempt. While the item runs, it is the end of the lease.';
COMMENT ON COLUMN batch_item.submission IS 'The id of the native_submission that has the item. Null means none.';
COMMENT ON COLUMN batch_item.delta IS 'The change of the stored bytes of the item since its creation.';
COMMENT ON COLUMN batch_item.node IS 'The node that works on the item while it runs.';

COMMENT ON TABLE batch_request IS 'The requests of items without a result, as the client sent them.';

COMMENT ON TABLE batch_result IS
  'The results of items as lines of JSON. The line of a canceled or expired item is not stored.';

COMMENT ON TABLE billing_record IS
  'Records of billing, by kind: customer, event, checkout, reload, receiver or reversal.';
COMMENT ON COLUMN billing_record.id IS
  'The account for customers, reloads and receivers, and the payment for reversals.';
COMMENT ON COLUMN billing_record.reference IS
  'Another id of the record, such as the one of a customer at the payment service. Null means none.';
COMMENT ON COLUMN billing_record.due_at IS 'The time at which a worker looks at the record. Null means never.';
COMMENT ON COLUMN billing_record.body IS 'JSON, whose members depend on the kind.';

COMMENT ON TABLE bucket IS
  'Balances of accounts. What was charged is used. They change in the transaction of their entry.';
COMMENT ON COLUMN bucket.period IS
  'purchased, free, none (pay-as-you-go), or cycle- and the time at which the cycle starts.';
COMMENT ON COLUMN bucket.granted IS
  'What was given in addition to the credits of the plan. For purchased credit it is all that was given.';
COMMENT ON COLUMN bucket.held IS 'What open holds reserve. It is 0 unless the period is purchased.';

COMMENT ON TABLE budget IS 'Limits of what an account, or a part of it, can spend in a window of time.';
COMMENT ON COLUMN budget.scope IS 'organization, key, member, end_user or tag.';
COMMENT ON COLUMN budget.target IS 'The one key, member, end user or tag that counts. Null means each by itself.';
COMMENT ON COLUMN budget.span IS 'The window: hour, 5h, day, week or month.';
COMMENT ON COLUMN budget.kind IS 'calendar (windows begin at fixed times) or sliding (the time up to now).';
COMMENT ON COLUMN budget.warn_share IS 'The share of the limit at which a warning is sent. Null means none.';
COMMENT ON COLUMN budget.raised IS 'JSON of an amount that adds to the limit until a time. Null means none.';
COMMENT ON COLUMN budget.owner IS 'Who may change the budget: operator or organization.';
COMMENT ON COLUMN budget.counter IS 'The name of its rows of budget_spend. Another window or target gets another name.';
COMMENT ON COLUMN budget.counts_from IS 'The counters have the charges from this time on.';

COMMENT ON TABLE budget_spend IS 'What counts against budgets, by target and by bin of time.';
COMMENT ON COLUMN budget_spend.target IS 'A key, member, end user or tag. It is empty for the whole organization.';
COMMENT ON COLUMN budget_spend.bin IS 'The start of the bin. A calendar window is one bin, and a sliding one has 61.';

COMMENT ON TABLE change IS 'Changes that the other nodes read each second. Rows are kept for an hour.';
COMMENT ON COLUMN change.kind IS 'The kind of the changed thing, such as account, key or batch.';
COMMENT ON COLUMN change.subject IS 'The id of the changed thing.';

COMMENT ON TABLE client_token IS 'Refresh tokens of the keys that device sign-ins gave out. Each is used once.';
COMMENT ON COLUMN client_token.hash IS 'The SHA-256 of the token, in hexadecimal.';
COMMENT ON COLUMN client_token.used_at IS 'Null means that the token was not used.';
COMMENT ON COLUMN client_token.kept_until IS 'The row is kept until this time, so that a second use is noticed.';

COMMENT ON TABLE conversation IS 'Conversations that requests continue by name.';
COMMENT ON COLUMN conversation.until IS
  'The expiry as the bytes are counted: rounded up, so that many rows share one sum.';
COMMENT ON COLUMN conversation.stored IS 'The bytes that count against the account.';
COMMENT ON COLUMN conversation.parts IS 'The number of complete parts.';
COMMENT ON COLUMN conversation.holder IS
  'The request that alone changes the conversation until held_until. Null means none.';

COMMENT ON TABLE conversation_part IS
  'Additions to conversations: what was given, and what a model answered. The shown lists are as clients see them.';
COMMENT ON COLUMN conversation_part.part IS 'Counts from 0. A part is complete if it is below conversation.parts.';
COMMENT ON COLUMN conversation_part.model IS 'The model that answered. It is empty if none did.';
COMMENT ON COLUMN conversation_part.input IS
  'A JSON list of the given items in the form that models get. It can be encrypted.';
COMMENT ON COLUMN conversation_part.output IS
  'A JSON list of the answered items in the form that models get. It can be encrypted.';

COMMENT ON TABLE credit_mark IS
  'Purchased credit after the latest purchase, with which alerts about low credit compare.';

COMMENT ON TABLE device_sign_in IS 'Sign-ins of clients that show a code for a person to approve.';
COMMENT ON COLUMN device_sign_in.device_hash IS 'The SHA-256 of the code with which the client asks.';
COMMENT ON COLUMN device_sign_in.user_hash IS 'The SHA-256 of the code that the client shows.';
COMMENT ON COLUMN device_sign_in.status IS 'pending, approved, denied or used.';
COMMENT ON COLUMN device_sign_in.polled_at IS
  'The time at which the waiting client last asked. Null means that it has not.';

COMMENT ON TABLE entry IS 'The ledger. Texts and hashes never change. The archive moves old rows to ledger_segment.';
COMMENT ON COLUMN entry.number IS 'The order of writing over all accounts.';
COMMENT ON COLUMN entry.sequence IS 'The place in the chain of the account, from 1.';
COMMENT ON COLUMN entry.at IS 'For a charge, the time at which its request was admitted.';
COMMENT ON COLUMN entry.posted_at IS 'The time of the write.';
COMMENT ON COLUMN entry.node IS 'The node that wrote the entry. It is empty for the command line and for repairs.';
COMMENT ON COLUMN entry.text IS 'The hashed JSON array, as src/money/ledger/entry-text.ts formats it.';
COMMENT ON COLUMN entry.hash IS 'The SHA-256 of the hash before it in the chain, the id and the text.';
COMMENT ON COLUMN entry.xid IS 'The transaction of the write, by which the sums of hours and days find new entries.';

COMMENT ON TABLE era IS 'One row while limit_state is intact. A crash of Postgres empties both, and a new era begins.';
COMMENT ON COLUMN era.one IS 'Always 1, so that there is one row.';
COMMENT ON COLUMN era.ready IS
  'True once every open node has written back what it had taken. No call of gate() is decided before.';

COMMENT ON TABLE era_node IS 'The nodes that have written back what they had taken before the era began.';

COMMENT ON TABLE gate_call IS
  'The latest call of each series of numbered calls of gate(), so that a repeated call counts once.';
COMMENT ON COLUMN gate_call.lane IS
  'A random name of the series. A node has one of admissions, and one of calls that travel with settlements.';
COMMENT ON COLUMN gate_call.answer IS 'The answer to the latest call as JSON. A call that is sent again gets it.';

COMMENT ON TABLE idempotency_key IS 'Idempotency keys of the creation of batches.';
COMMENT ON COLUMN idempotency_key.token IS 'Names the creation that owns the key.';
COMMENT ON COLUMN idempotency_key.lease_until IS 'An unfinished creation counts as crashed after this time.';
COMMENT ON COLUMN idempotency_key.answer IS 'The stored answer. Null means that the creation is unfinished.';
COMMENT ON COLUMN idempotency_key.node IS 'The node of the creation. An unfinished creation ends with it.';

COMMENT ON TABLE installation IS 'Facts of the whole installation, in one row.';
COMMENT ON COLUMN installation.clock_ahead_ms IS
  'The milliseconds that tests have added to the clock. now_ms() adds them to the time.';
COMMENT ON COLUMN installation.admin_token_hash IS
  'The SHA-256 of the first admin token. Null means that no node has made it.';
COMMENT ON COLUMN installation.first_account_id IS 'The account that a node made at its first start. Null means none.';

COMMENT ON TABLE invitation IS 'Invitations to organizations.';
COMMENT ON COLUMN invitation.token_hash IS 'The hash of the token in the link.';

COMMENT ON TABLE key_month IS 'What counts against the caps of keys, by calendar month.';
COMMENT ON COLUMN key_month.month IS 'The calendar month in UTC, such as 2026-11.';
COMMENT ON COLUMN key_month.used IS 'What was charged, less the part beyond the cap.';

COMMENT ON TABLE key_use IS 'The latest use of each key.';

COMMENT ON TABLE ledger_segment IS
  'Archived entries, by the numbers from first to last. An entry is here or in the table entry.';
COMMENT ON COLUMN ledger_segment.content IS
  'Zstandard frames with lines of JSON, as src/store/archive/segment-format.ts describes them.';
COMMENT ON COLUMN ledger_segment.seal IS
  'A checksum of the other columns except content, which seal_row() writes. A changed row does not fit it.';

COMMENT ON TABLE limit_state IS
  'Counts against the limits of rates and concurrency. gate() writes it. A crash of Postgres empties it.';
COMMENT ON COLUMN limit_state.scope IS
  'a: and an account, k: and a key with limits of its own, or n: and a client network.';
COMMENT ON COLUMN limit_state.newest IS
  'The newest bin of each of the four windows, as the time divided by the width of a bin.';
COMMENT ON COLUMN limit_state.total IS 'The sum of the bins of each window, in the order of bins.';
COMMENT ON COLUMN limit_state.bins IS
  'Four windows of 61 bins: requests, tokens, requests in five minutes, reads. A bin is 1 s, and 5 s in the third '
  'window. The last two windows are missing while they are empty. Bins are in the order of their numbers modulo 61.';
COMMENT ON COLUMN limit_state.under_way IS 'The number of requests under way on all nodes.';
COMMENT ON COLUMN limit_state.nodes IS 'The nodes that serve requests of the scope.';
COMMENT ON COLUMN limit_state.places IS
  'The number of requests that each of these nodes serves, in the order of nodes.';
COMMENT ON COLUMN limit_state.used_at IS 'The time of the latest call.';

COMMENT ON TABLE link_request IS 'Requests for links that could not be mailed. Operators make the links.';
COMMENT ON COLUMN link_request.kind IS 'verification, reset or invitation.';

COMMENT ON TABLE membership IS 'The people of organizations, with their roles.';

COMMENT ON TABLE merged_traffic IS 'Merged days of traffic by one more column. The figures are those of traffic.';
COMMENT ON COLUMN merged_traffic.kind IS
  'A kind of src/store/merged-kinds.ts, which names the columns that are not empty.';
COMMENT ON COLUMN merged_traffic.at IS 'The number of the period since 1970. A period has eight days.';
COMMENT ON COLUMN merged_traffic.slice IS
  'The value of the column that divides the kind. Other columns that the kind lacks are empty.';

COMMENT ON TABLE migration IS 'The migrations of this database.';
COMMENT ON COLUMN migration.needs IS
  'The newest migration that a program must know to work with this schema. 0 means none.';

COMMENT ON TABLE milestone IS 'The first time of an event.';
COMMENT ON COLUMN milestone.name IS 'answer: a provider that was not simulated has answered.';

COMMENT ON TABLE native_submission IS 'Items of batches that were sent to the batch API of a provider together.';
COMMENT ON COLUMN native_submission.upstream_model IS 'The name of the model at the provider.';
COMMENT ON COLUMN native_submission.upstream_id IS
  'The id at the provider. Null means that its answer has not arrived.';
COMMENT ON COLUMN native_submission.node IS
  'The node that works on the submission. Null means that any node can take it over.';
COMMENT ON COLUMN native_submission.mark IS
  'A random text that finds the submission at its provider. Null means that an older version sent it.';
COMMENT ON COLUMN native_submission.sent_at IS 'The time before the sending.';

COMMENT ON TABLE node IS 'Nodes that run, and nodes that others have closed.';
COMMENT ON COLUMN node.heartbeat IS
  'The time of the latest heartbeat. Other nodes close a node that is silent for ten seconds.';
COMMENT ON COLUMN node.worker IS
  'The number among the workers of a machine. Null means that the process serves alone on its port.';
COMMENT ON COLUMN node.commit_date IS 'The day of the commit of the program. Null means that it is unknown.';
COMMENT ON COLUMN node.closed_at IS 'The time at which another node closed it. Null means that it runs.';

COMMENT ON TABLE open_hold IS 'The holds that reserve an amount, and all holds that have been open for a second.';
COMMENT ON COLUMN open_hold.node IS
  'The node of the request. It is empty if that node has ended and a provider works on the item.';
COMMENT ON COLUMN open_hold.pays IS 'The kind of balance that pays: monthly or purchased.';
COMMENT ON COLUMN open_hold.period IS 'The balance that pays, as in bucket.';
COMMENT ON COLUMN open_hold.month IS
  'The calendar month of the cap, as in key_month. It can be empty if the key has no cap.';
COMMENT ON COLUMN open_hold.microcredits IS 'The reserved amount. 0 means that the row has a checkpoint alone.';
COMMENT ON COLUMN open_hold.is_capped IS 'True if the amount also counts against the cap of the key.';
COMMENT ON COLUMN open_hold.checkpoint IS
  'JSON of the charge so far, for the node that ends or takes over the hold. Null means none.';
COMMENT ON COLUMN open_hold.produced IS
  'True if the request has output. If its node ends, such a hold is charged, and others are voided.';
COMMENT ON COLUMN open_hold.away_batch IS 'The batch.sequence of an item that a provider works on. Null means none.';
COMMENT ON COLUMN open_hold.away_number IS 'The batch_item.number of that item.';
COMMENT ON COLUMN open_hold.seal IS
  'A checksum of the other columns except node, which seal_row() writes. A changed row does not fit it.';
COMMENT ON COLUMN open_hold.budgets IS
  'The rows of budget_spend that hold the amount: [[counter, target, bin], …]. Null means none.';

COMMENT ON TABLE operator_role IS 'The people who are operators, with their roles.';

COMMENT ON TABLE payload IS
  'The contents of requests of the accounts in payload_account, with the times at which they ended.';
COMMENT ON COLUMN payload.content IS 'JSON, compressed with Zstandard. It can be encrypted before.';

COMMENT ON TABLE payload_account IS 'The accounts whose contents of requests are kept.';

COMMENT ON TABLE people_secret IS 'Secrets that all processes share, such as the one that signs cookies.';

COMMENT ON TABLE person IS 'People who sign in to the dashboard.';

COMMENT ON TABLE person_session IS 'Sessions of people.';
COMMENT ON COLUMN person_session.token IS 'The SHA-256 of the token of the session, in hexadecimal.';

COMMENT ON TABLE probe IS 'A row of each process, which tests with it whether the database accepts writes.';

COMMENT ON TABLE provider_drain IS 'Providers that operators have drained on all nodes.';

COMMENT ON TABLE provider_fault IS
  'What each process has seen of the faults of providers. A row is written by one process until the fault ends.';
COMMENT ON COLUMN provider_fault.model IS
  'The name of the model at the provider. Null means that calls of several models, or of none, have failed.';
COMMENT ON COLUMN provider_fault.last_at IS 'The latest failure. 0 means that only other processes have seen failures.';
COMMENT ON COLUMN provider_fault.well_at IS 'The first success after the latest failure. Null means none.';
COMMENT ON COLUMN provider_fault.seen_at IS
  'A later success. It counts if another process has seen a failure since well_at. Null means none.';
COMMENT ON COLUMN provider_fault.hidden IS 'The number of failures whose request another target then answered.';
COMMENT ON COLUMN provider_fault.raised IS
  '1 if operators see the fault, and 0 otherwise. A single failure of most causes is not shown.';
COMMENT ON COLUMN provider_fault.recent IS 'A JSON list of the times of the latest failures, three at most.';
COMMENT ON COLUMN provider_fault.status IS 'The HTTP status of the latest failure. Null means that there was none.';

COMMENT ON TABLE provider_share IS 'The slots of providers that each node may use, uses and waits for.';
COMMENT ON COLUMN provider_share.granted IS 'The most slots that the node may use, which sync_shares() decides.';

COMMENT ON TABLE quarantine IS 'Accounts that no node serves until an operator repairs their ledger.';
COMMENT ON COLUMN quarantine.seal IS
  'A checksum of the other columns, which seal_row() writes. A changed row does not fit it.';

COMMENT ON TABLE recorded_answer IS 'Answers that retries join and get again, and streams that are read again.';
COMMENT ON COLUMN recorded_answer.is_joinable IS 'True if retries without an idempotency key can join the answer.';
COMMENT ON COLUMN recorded_answer.has_ids IS 'True if the frames have ids. Readers of other streams count the frames.';
COMMENT ON COLUMN recorded_answer.background_id IS
  'The response in the background that the request has begun. Null means none.';
COMMENT ON COLUMN recorded_answer.state IS
  'running, made (whole, and valid once its charge is in the ledger), or failed.';
COMMENT ON COLUMN recorded_answer.head IS
  'JSON of the status and the content type. Null means that they are not known yet.';
COMMENT ON COLUMN recorded_answer.failure IS 'JSON of the refusal. Null means that the request was not refused.';
COMMENT ON COLUMN recorded_answer.parts IS 'The number of complete parts.';
COMMENT ON COLUMN recorded_answer.replays_until IS
  'The time until which retries get the answer. 0 means that they do not.';
COMMENT ON COLUMN recorded_answer.streams_until IS
  'The time until which the stream can be read again. 0 means that it cannot.';
COMMENT ON COLUMN recorded_answer.holder IS 'The process that makes the answer until held_until.';
COMMENT ON COLUMN recorded_answer.reader IS
  'The process whose client reads the answer until read_until. Null means none.';
COMMENT ON COLUMN recorded_answer.followed_until IS
  'The time until which a client of another process reads the answer.';
COMMENT ON COLUMN recorded_answer.is_delivered IS 'True if a client has got the whole answer.';

COMMENT ON TABLE recorded_part IS 'The parts of recorded answers.';
COMMENT ON COLUMN recorded_part.part IS 'Counts from 0. A part is complete if it is below recorded_answer.parts.';
COMMENT ON COLUMN recorded_part.last_frame IS
  'The number of the last frame, counted from 1. 0 means a whole answer without frames.';
COMMENT ON COLUMN recorded_part.text IS 'The part as the client got it. It can be encrypted.';

COMMENT ON TABLE refusal_hour IS 'Sums of refused requests by hour, account and cause.';
COMMENT ON COLUMN refusal_hour.account_id IS 'It is empty for requests without a valid key.';
COMMENT ON COLUMN refusal_hour.cause IS 'The limit or the missing resource, or else the code.';
COMMENT ON COLUMN refusal_hour.node IS 'The node that wrote the row.';
COMMENT ON COLUMN refusal_hour.part IS 'Distinguishes the rows of one node for the same refusals.';

COMMENT ON TABLE replaced_secret IS
  'Hashes of secrets that rotations have replaced, so that a refusal says that they were valid once.';

COMMENT ON TABLE request_count IS 'The number of records that are kept of each account.';

COMMENT ON TABLE request_day IS 'The sums of request_hour by day.';

COMMENT ON TABLE request_group IS
  'Records of requests, in groups of one account. ended_at is the end of the latest, and the ids are the smallest and '
  'the largest one.';
COMMENT ON COLUMN request_group.lines IS 'Lines of JSON, one for each record, compressed with Zstandard.';

COMMENT ON TABLE request_hour IS 'Sums by hour of the requests that named an end user or ended with an error.';
COMMENT ON COLUMN request_hour."user" IS 'The end user that the client named. It is empty if there is none.';
COMMENT ON COLUMN request_hour.code IS 'The error code. It is empty if there is none.';
COMMENT ON COLUMN request_hour.requests IS 'The number of charged requests.';
COMMENT ON COLUMN request_hour.errors IS 'The number of requests that ended with an error.';

COMMENT ON TABLE request_month IS
  'The partitions of request_group, by the month from starts on and before ends. There is none until the table of an '
  'earlier version is divided.';

COMMENT ON TABLE response IS 'Stored responses. Their input and output are in turn.';
COMMENT ON COLUMN response.until IS 'The expiry as the bytes are counted: rounded up, so that many rows share one sum.';
COMMENT ON COLUMN response.envelope IS 'The response as the client got it. It can be encrypted.';
COMMENT ON COLUMN response.account_id IS 'Null means that an early version of the embedded store wrote the row.';
COMMENT ON COLUMN response.stored IS 'The bytes that count against the account. Null means that they are not counted.';

COMMENT ON TABLE response_item IS 'The ids of items that do not name their response.';

COMMENT ON TABLE saved_prompt IS 'The prompts that the members of an organization share on the playground, as JSON.';

COMMENT ON TABLE second_factor IS 'The authenticator apps of people.';

COMMENT ON TABLE shortfall IS 'Charges below their list cost.';
COMMENT ON COLUMN shortfall.microcredits IS 'The list cost less the charge.';

COMMENT ON TABLE sign_in IS 'The ways in which people sign in.';
COMMENT ON COLUMN sign_in.provider IS 'The identity provider. credential means a password.';
COMMENT ON COLUMN sign_in.subject IS 'The id of the person at the identity provider.';
COMMENT ON COLUMN sign_in.password IS 'A hash. Null means that the person signs in elsewhere.';

COMMENT ON TABLE sign_in_token IS
  'Sign-ups, links to reset passwords, used codes, and steps of a sign-in that wait for the next one.';

COMMENT ON TABLE stored_setting IS
  'Providers and models that operators have made by form or API, and the key of stored content.';
COMMENT ON COLUMN stored_setting.kind IS 'provider, model or content-key.';
COMMENT ON COLUMN stored_setting.settings IS 'JSON without secrets.';
COMMENT ON COLUMN stored_setting.secrets IS
  'The JSON of the secrets, encrypted and bound to the row and its settings. Null means none.';

COMMENT ON TABLE token_day IS 'The tokens that the plan of an account has paid for on the latest day with any.';

COMMENT ON TABLE traffic IS
  'Sums of ended requests. A row has all figures of its node, which replaces it while they grow.';
COMMENT ON COLUMN traffic.step IS
  'The length of at: 0 minutes, 1 hours, 2 days, 3 four merged days, 4 eight merged days.';
COMMENT ON COLUMN traffic.cut IS
  'The columns that are not empty: 0 all but account and key, 1 account, key and node, 2 all.';
COMMENT ON COLUMN traffic.at IS 'The number of the minute, hour, day or period since 1970.';
COMMENT ON COLUMN traffic.status IS 'The class of the status, such as 4xx.';
COMMENT ON COLUMN traffic.source IS 'api, batch or playground.';
COMMENT ON COLUMN traffic.node IS 'The node that wrote the row. It is empty in merged rows of accounts and keys.';
COMMENT ON COLUMN traffic.part IS 'Distinguishes the rows of one node for the same requests.';
COMMENT ON COLUMN traffic.errors IS
  'The number of requests with a status from 500 on, or with a stream that broke off.';
COMMENT ON COLUMN traffic.refused IS 'The number of requests with a status from 400 to 499.';
COMMENT ON COLUMN traffic.spend IS 'What the operator pays to providers.';
COMMENT ON COLUMN traffic.revenue IS 'What customers were charged.';
COMMENT ON COLUMN traffic.latency IS 'Counts of durations by bucket: each bucket with its count, such as 57 1 60 2.';
COMMENT ON COLUMN traffic.first_token IS 'Counts of the times to the first token by bucket, in the form of latency.';

COMMENT ON TABLE traffic_counted IS
  'The charged requests that the latest writes of traffic have counted, so that a crash loses none.';
COMMENT ON COLUMN traffic_counted.request_ids IS 'The ids of the requests with spaces between them.';

COMMENT ON TABLE traffic_merge IS 'How far the days of traffic are merged.';
COMMENT ON COLUMN traffic_merge.cut IS 'A kind of src/store/merged-kinds.ts, and not a cut of traffic.';
COMMENT ON COLUMN traffic_merge.merged_to IS 'The first day that is not merged.';

COMMENT ON TABLE turn IS
  'The input and output of responses. A turn is kept until the last response that continues it expires.';
COMMENT ON COLUMN turn.previous_id IS
  'The turn that it continues. Null means that its input has the whole conversation.';
COMMENT ON COLUMN turn.input IS 'A JSON list of items. It is empty if the list is in turn_part.';
COMMENT ON COLUMN turn.output IS 'A JSON list of items. It is empty if the list is in turn_part.';
COMMENT ON COLUMN turn.bytes IS 'The bytes of the lists from the first turn to this one.';
COMMENT ON COLUMN turn.kept_until IS 'The time at which the turn is removed. The bytes are counted under it.';
COMMENT ON COLUMN turn.items IS 'The number of items that a listing shows from the first turn to this one.';
COMMENT ON COLUMN turn.account_id IS 'Null means that an early version of the embedded store wrote the row.';
COMMENT ON COLUMN turn.stored IS 'The bytes that count against the account. Null means that they are not counted.';

COMMENT ON TABLE turn_part IS 'The parts of the long lists of turns.';
COMMENT ON COLUMN turn_part.part IS 'Counts from 0, over the input and then the output.';

COMMENT ON TABLE unconfirmed IS
  'Entries of answers whose last byte may not have been sent, since their node ended then.';
COMMENT ON COLUMN unconfirmed.seal IS
  'A checksum of the other column, which seal_row() writes. A changed row does not fit it.';

COMMENT ON TABLE usage_day IS 'Sums of charges by day, key and model. They have the entries before usage_watermark.';

COMMENT ON TABLE usage_hour IS 'Sums of charges by hour, key and model. They have the entries before usage_watermark.';

COMMENT ON TABLE usage_watermark IS 'How far the sums of charges go, in one row. roll_up_usage() writes it.';
COMMENT ON COLUMN usage_watermark.xid IS 'The sums have the entries with a lower xid.';
COMMENT ON COLUMN usage_watermark.restored_up_to IS
  'The sums have all entries up to this number, which came with a restored dump.';
COMMENT ON COLUMN usage_watermark.is_tidy IS 'False while the xid of restored entries is being lowered.';
COMMENT ON COLUMN usage_watermark.seal IS
  'A checksum of the other columns, which seal_row() writes. A changed row does not fit it.';

COMMENT ON TYPE posting_piece IS
  'A posting, as src/store/postgres/ledger/posting-piece.ts writes it. Migration 11 describes its members.';
COMMENT ON COLUMN posting_piece.lb IS 'The labels for budgets: [person, end user, tags]. Null means none.';
COMMENT ON COLUMN posting_piece.mc IS 'The most that may be charged: what the request holds. Null means no bound.';
