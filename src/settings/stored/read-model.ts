import type { StoredModel } from './stored-rows.ts';
import type { StoredSetting } from './stored-setting.ts';

type Body = { over: boolean; hidden: boolean; fields: Readonly<Record<string, unknown>> };

/** Reads a stored model from its setting. */
export function readModel({ id, revision, settings }: StoredSetting): StoredModel {
  const { over, hidden, fields } = JSON.parse(settings) as Body;
  return { id, revision, isOverlay: over, isHidden: hidden, fields };
}

/** Writes the `settings` of a stored model, as `readModel` reads them. */
export const formatModel = ({ isOverlay, isHidden, fields }: Omit<StoredModel, 'id' | 'revision'>): string =>
  JSON.stringify({ over: isOverlay, hidden: isHidden, fields } satisfies Body);
