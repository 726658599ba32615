import { membersOf, patchJson } from '../../base/json/patch-json.ts';

/** Adds the lane to an event, if its turn has one. */
export const withLane = (event: string, lane: string | undefined): string =>
  lane === undefined ? event : patchJson(event, membersOf(event), { stream_id: JSON.stringify(lane) });
