/** What a dialog that the keyboard opens gets. */
export type ToolProps = { onClose: () => void };
