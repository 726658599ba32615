/** A line of the report. `goal` says whether a figure meets its goal. */
export type Finding = { text: string; goal?: { text: string; isMet: boolean } };

export const formatFinding = ({ text, goal }: Finding): string =>
  goal ? `  ${text}   [goal ${goal.text}: ${goal.isMet ? 'met' : 'MISSED'}]` : `  ${text}`;
