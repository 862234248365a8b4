import { NotSupportedError, refuseUnknownOptions, strict } from "./not-stood-in.ts";

interface MenuItemOptions {
  readonly id?: string;
  readonly role?: string;
  readonly label?: string;
  readonly type?: string;
  readonly submenu?: readonly MenuItemOptions[];
  readonly checked?: boolean;
  click?(item: MenuItem): void;
}
const known = [
  "id",
  "role",
  "label",
  "type",
  "checked",
  "submenu",
  "click",
  "accelerator",
  "visible",
  "acceleratorWorksWhenHidden",
];

/** An invisible menu: tests find its items by ID and click them. Keys and roles need the real runtime. */
class Menu {
  private static applicationMenu: Menu | null = null;
  readonly items: readonly MenuItem[];

  static buildFromTemplate(template: readonly MenuItemOptions[]): Menu {
    return strict("Menu", new Menu(template));
  }

  static setApplicationMenu(menu: Menu): void {
    Menu.applicationMenu = menu;
  }

  static getApplicationMenu(): Menu | null {
    return Menu.applicationMenu;
  }

  constructor(template: readonly MenuItemOptions[]) {
    this.items = template.map((options) => strict("MenuItem", new MenuItem(options)));
  }

  /** Does nothing; a test that chooses from the menu replaces it. */
  popup(): void {}

  getMenuItemById(id: string): MenuItem | null {
    for (const item of this.items) {
      const found = item.id === id ? item : item.submenu?.getMenuItemById(id);
      if (found) return found;
    }
    return null;
  }
}

class MenuItem {
  readonly id: string | undefined;
  readonly label: string | undefined;
  readonly role: string | undefined;
  readonly submenu: Menu | undefined;
  checked: boolean;
  private readonly options: MenuItemOptions;

  constructor(options: MenuItemOptions) {
    refuseUnknownOptions("MenuItem", options, known);
    this.options = options;
    this.id = options.id;
    this.label = options.label;
    this.role = options.role;
    this.checked = options.checked ?? false;
    this.submenu = options.submenu && Menu.buildFromTemplate(options.submenu);
  }

  click(): void {
    if (!this.options.click) throw new NotSupportedError(`a click on the menu item with the role ${this.options.role}`);
    if (this.options.type === "checkbox") this.checked = !this.checked;
    this.options.click(this);
  }
}

const strictMenu = strict("Menu", Menu);

export { strictMenu as Menu };
