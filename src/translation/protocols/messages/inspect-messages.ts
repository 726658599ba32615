import { createInspection } from '../../members/inspect-body.ts';
import { messagesRequestSchema } from './request-schema.ts';

/** Inspects the body of a request or of a token count. */
export const inspectMessages = createInspection(messagesRequestSchema, ['messages', 'system', 'tools']);
