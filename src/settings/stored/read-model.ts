import type { StoredModel } from './stored-rows.ts';
import type { StoredSetting } from './stored-setting.ts';

type Body = { over: boolean; hidden: boolean; fields: Readonly<Record<string, unknown>> };

export function readModel({ id, revision, settings }: StoredSetting): StoredModel {
  const { over, hidden, fields } = JSON.parse(settings) as Body;
  return { id, revision, isOver: over, isHidden: hidden, fields };
}

export const formatModel = ({ isOver, isHidden, fields }: Omit<StoredModel, 'id' | 'revision'>): string =>
  JSON.stringify({ over: isOver, hidden: isHidden, fields } satisfies Body);
