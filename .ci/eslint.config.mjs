// The viewer's script is checked by itself: eslint -c .ci/eslint.config.mjs
import js from "@eslint/js";
import globals from "globals";

export default [js.configs.recommended, {
	languageOptions: { sourceType: "script", globals: globals.browser },
	rules: {
		eqeqeq: "error",
		"no-eval": "error",
		"no-implicit-globals": "error",
		"no-shadow": "error",
		"no-var": "error",
		"prefer-const": "error",
		strict: ["error", "function"]
	}
}];
