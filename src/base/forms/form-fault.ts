/** A form that cannot be read. `field` is the name of the part at fault, if it is known. */
export class FormFault extends Error {
  readonly field: string | null;

  constructor(message: string, field: string | null = null) {
    super(message);
    this.field = field;
  }
}
