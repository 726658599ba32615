import { describeResponses } from '../../conformance/responses.ts';
import { describeResponseBytes } from '../../conformance/stored-bytes.ts';
import { openResponsesForTest } from '../testing/open-responses-for-test.ts';

describeResponses(openResponsesForTest);
describeResponseBytes(openResponsesForTest);
