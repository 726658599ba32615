import { expect, test } from 'bun:test';
import { joinExpositions } from './join-expositions.ts';

const metrics = (count: number) =>
  `# HELP a_total Things.\n# TYPE a_total counter\na_total{route="/v1/a b"} ${count}\n` +
  '# HELP up Whether it runs.\n# TYPE up gauge\nup 1\n';

test('lists each family once and labels the series of each process', () => {
  const text = joinExpositions(
    [
      { worker: 1, answer: metrics(2) },
      { worker: 2, answer: metrics(3) },
    ],
    'prometheus',
  );
  expect(text).toBe(
    '# HELP a_total Things.\n# TYPE a_total counter\n' +
      'a_total{worker="1",route="/v1/a b"} 2\na_total{worker="2",route="/v1/a b"} 3\n' +
      '# HELP up Whether it runs.\n# TYPE up gauge\nup{worker="1"} 1\nup{worker="2"} 1\n',
  );
});

test('ends an OpenMetrics document once and keeps exemplars', () => {
  const answer = '# HELP w Waits.\n# TYPE w histogram\nw_bucket{le="1.0"} 4 # {request_id="r"} 0.5\n# EOF\n';
  const text = joinExpositions(
    [
      { worker: 1, answer },
      { worker: 2, answer },
    ],
    'openmetrics',
  );
  expect(text).toBe(
    '# HELP w Waits.\n# TYPE w histogram\n' +
      'w_bucket{worker="1",le="1.0"} 4 # {request_id="r"} 0.5\n' +
      'w_bucket{worker="2",le="1.0"} 4 # {request_id="r"} 0.5\n# EOF\n',
  );
});
