import { testAnswers } from '../../support/recordings/test-answers.ts';

testAnswers('google-interactions');
