/** Sends mail. */
export interface Mailer {
  /** Reports whether mail is configured. */
  isReady(): boolean;
  /** Rejects if the mail was not accepted. */
  send(to: string, subject: string, text: string): Promise<void>;
}
