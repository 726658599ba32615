/** The values that Grafana inserts for variables. */
const variables = [
  ['$__rate_interval', '5m'],
  ['$job', '.*'],
  ['$instance', '.*'],
  ['$provider', '.*'],
  ['$model', '.*'],
];

const fill = (expression) =>
  variables.reduce((text, [name, value]) => text.replaceAll(name, value), expression);

/** Returns the PromQL expressions of a Grafana board, with its variables filled in. */
export function boardExpressions(board) {
  const ofPanels = board.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  const ofAnnotations = board.annotations.list.map(({ expr }) => expr);
  // A variable lists the values of a label: label_values(metric, label).
  const ofVariables = board.templating.list
    .map(({ definition }) => /^label_values\((.*), \w+\)$/.exec(definition ?? '')?.[1])
    .filter((expr) => expr !== undefined);
  return [...ofPanels, ...ofAnnotations, ...ofVariables].map(fill);
}
