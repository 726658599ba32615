import { STEPS } from '../../store/expiry-step.ts';
import { LARGE_SLICE, type MovedTable, sameColumns } from './moved-table.ts';

/** The step of an expiry in SQL, as `expiryStep` computes it. */
const STEP = `max(1, (expires_at - created_at) / ${STEPS})`;

/** Responses, batches, and the answers that idempotency keys repeat. */
export const storedTables: readonly MovedTable[] = [
  {
    name: 'response',
    keys: ['id'],
    rows: LARGE_SLICE,
    columns: {
      ...sameColumns('id key_id created_at expires_at envelope account_id stored'),
      until: `(expires_at + ${STEP} - 1) / ${STEP} * ${STEP}`,
    },
  },
  {
    name: 'turn',
    keys: ['id'],
    rows: LARGE_SLICE,
    columns: sameColumns(
      `id previous_id model input output turns bytes kept_until input_items output_items items account_id
      stored`,
    ),
  },
  {
    name: 'turn_part',
    keys: ['turn_id', 'part'],
    rows: LARGE_SLICE,
    columns: sameColumns('turn_id part is_output items text'),
  },
  { name: 'response_item', keys: ['id', 'response_id'], columns: sameColumns('id response_id') },
  {
    name: 'conversation',
    keys: ['id'],
    columns: sameColumns(
      'id key_id account_id created_at expires_at until metadata stored parts holder held_until',
    ),
  },
  {
    name: 'conversation_part',
    keys: ['conversation_id', 'part'],
    rows: LARGE_SLICE,
    columns: sameColumns('conversation_id part model input output shown_input shown_output'),
  },
  {
    name: 'background_response',
    keys: ['id'],
    rows: LARGE_SLICE,
    columns: sameColumns(
      `id request_id key_id account_id created_at expires_at until headers body status envelope stored parts
      attempts is_canceled holder held_until`,
    ),
  },
  {
    name: 'background_frames',
    keys: ['response_id', 'part'],
    rows: LARGE_SLICE,
    columns: sameColumns('response_id part last_number frames'),
  },
  {
    name: 'batch',
    keys: ['sequence'],
    columns: {
      ...sameColumns(
        `sequence id collection account_id key_id mode native host size created_at expires_at deadline_at
        cancel_initiated_at ended_at counts staged emptied`,
      ),
      stored: 'CASE WHEN emptied THEN 0 ELSE coalesce(stored, 0) END',
    },
  },
  {
    name: 'batch_item',
    keys: ['batch', 'number'],
    columns: {
      ...sameColumns('batch number custom_id request_id state attempt failures deaths due_at submission'),
      delta: '0',
    },
  },
  {
    name: 'batch_request',
    keys: ['batch', 'number'],
    rows: LARGE_SLICE,
    columns: sameColumns('batch number params'),
  },
  {
    name: 'batch_result',
    keys: ['batch', 'number'],
    rows: LARGE_SLICE,
    columns: sameColumns('batch number line'),
  },
  {
    name: 'native_submission',
    keys: ['id'],
    columns: sameColumns('id batch provider wire upstream_model upstream_id mark sent_at size'),
  },
  {
    name: 'idempotency_key',
    keys: ['account_id', 'collection', 'key'],
    columns: sameColumns('account_id collection key token body_hash lease_until expires_at answer'),
  },
];
