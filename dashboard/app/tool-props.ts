/** The properties of a dialog that the keyboard opens. */
export type ToolProps = { onClose: () => void };
