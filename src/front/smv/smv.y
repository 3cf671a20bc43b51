/* SPDX-License-Identifier: Apache-2.0 */
/* The grammar of NuSMV 2.6 (its manual, chapter 2), its older form included. It builds the tree of
   ast.h; after an error it goes on at the next declaration that can be read. */
%require "3.6"
%define api.pure full
%define api.prefix {smv_yy}
%define api.token.prefix {SMV_TOKEN_}
%define api.location.type {struct span}
%define parse.error custom
%define parse.lac full
%locations
%lex-param {void *scanner}
%parse-param {void *scanner} {struct smv_parse *p}

%code requires {
#include "front/smv/parse.h"
}

%code {
// The nesting the parser takes before it says "nested too deeply".
#define YYMAXDEPTH 20000
#define YYLLOC_DEFAULT(at, rhs, n)                                                                 \
  do {                                                                                             \
    if (n) {                                                                                       \
      (at) = YYRHSLOC(rhs, 1);                                                                     \
      (at).end_line = YYRHSLOC(rhs, n).end_line;                                                   \
      (at).end_column = YYRHSLOC(rhs, n).end_column;                                               \
    } else {                                                                                       \
      (at) = YYRHSLOC(rhs, 0);                                                                     \
      (at).line = (at).end_line;                                                                   \
      (at).column = (at).end_column;                                                               \
    }                                                                                              \
  } while (0)

#include "base/expected.h"
#include "front/smv/lexer.h"

#include <string.h>

static void smv_yyerror(struct span *at, void *scanner, struct smv_parse *p, const char *text);
static struct smv_expr *name(struct smv_parse *p, const char *text, struct span at);
static struct smv_expr *part(struct smv_parse *p, const struct smv_expr *of, const char *text,
                             struct span at);
static struct smv_expr *element(struct smv_parse *p, const struct smv_expr *of, int64_t index,
                                struct span at);
static struct smv_expr *number(struct smv_parse *p, int64_t value, struct span at);
static struct smv_expr *triple(struct smv_parse *p, enum smv_op op, const struct smv_expr *a,
                               const struct smv_expr *b, const struct smv_expr *c, struct span at);
static struct smv_expr *call(struct smv_parse *p, const char *text, const struct ast_list *args,
                             struct span at);
static struct smv_expr *bounded(struct smv_parse *p, enum smv_op op, struct bounds b,
                                const struct smv_expr *x, const struct smv_expr *y, struct span at);
static struct smv_expr *windowed(struct smv_parse *p, enum smv_op op, struct bounds b,
                                 const struct smv_expr *x, struct span at);
static struct bounds bounds(struct smv_parse *p, int64_t lo, int64_t hi, struct span at);
static struct ast_list *item(struct smv_parse *p, const struct smv_expr *e);
static struct ast_type *type(struct smv_parse *p, enum ast_type_kind kind, struct span at);
static struct ast_type *word(struct smv_parse *p, bool is_signed, struct smv_expr *bits,
                             struct span at);
static struct ast_type *refused(struct smv_parse *p, const char *what, struct span at);
static struct ast_type *module_type(struct smv_parse *p, const struct smv_expr *e, struct span at);
static struct ast_decl *decl(struct smv_parse *p, enum ast_decl_kind kind, struct smv_expr *target,
                             struct smv_expr *expr, struct span at);
static struct ast_decl *assign(struct smv_parse *p, enum smv_when when, struct smv_expr *target,
                               struct smv_expr *expr, struct span at);
static struct ast_decl *variables(struct ast_decl *ring, enum smv_symbol_kind kind);
static struct ast_decl *spec(struct ast_decl *d, enum smv_spec_kind kind, struct smv_expr *name);
static struct ast_decl *join(struct ast_decl *ring, struct ast_decl *more);
}

%code requires {
struct bounds {
  uint32_t lo, hi;
};
}

%union {
  const char *text;
  int64_t number;
  struct bounds bounds;
  struct smv_expr *expr;
  struct ast_list *list;
  struct ast_items *items;
  struct ast_type *type;
  struct ast_decl *decl;
  struct ast_module *module;
}

%token EOF 0 "the end of the file"
%token GIVEN "an expression by itself" /* the scanner's first token when that is the text */
%token <text> ID "a name"
%token <number> NUMBER "a number"
%token <expr> WORDS "a word constant"
%token MODULE "'MODULE'" VAR "'VAR'" IVAR "'IVAR'" FROZENVAR "'FROZENVAR'" DEFINE "'DEFINE'"
%token CONSTANTS "'CONSTANTS'" ASSIGN "'ASSIGN'" INIT "'INIT'" TRANS "'TRANS'" INVAR "'INVAR'"
%token FAIRNESS "'FAIRNESS'" JUSTICE "'JUSTICE'" COMPASSION "'COMPASSION'" SPEC "'SPEC'"
%token CTLSPEC "'CTLSPEC'" LTLSPEC "'LTLSPEC'" INVARSPEC "'INVARSPEC'" COMPUTE "'COMPUTE'"
%token NAME "'NAME'" ISA "'ISA'" CONTEXT "'IN'" PRED "'PRED'" MIRROR "'MIRROR'" FUN "'FUN'"
%token PROCESS "'process'" ARRAY "'array'" OF "'of'" BOOLEAN "'boolean'" INTEGER "'integer'"
%token REAL "'real'" WORD "'word'" SIGNED "'signed'" UNSIGNED "'unsigned'" SELF "'self'"
%token CASE "'case'" ESAC "'esac'" NEXT "'next'" SMALLINIT "'init'" TRUE "'TRUE'" FALSE "'FALSE'"
%token EX "'EX'" AX "'AX'" EF "'EF'" AF "'AF'" EG "'EG'" AG "'AG'" E "'E'" A "'A'" BU "'BU'"
%token EBF "'EBF'" ABF "'ABF'" EBG "'EBG'" ABG "'ABG'" MIN "'MIN'" MAX "'MAX'" X "'X'" G "'G'"
%token F "'F'" U "'U'" V "'V'" Y "'Y'" Z "'Z'" H "'H'" O "'O'" S "'S'" T "'T'"
%token GETS "':='" DOTDOT "'..'" IMPLIES "'->'" IFF "'<->'" LE "'<='" GE "'>='" NE "'!='"
%token SHL "'<<'" SHR "'>>'" CONCAT "'::'" MOD "'mod'" UNION "'union'" IN "'in'" XOR "'xor'"
%token XNOR "'xnor'"

%right IMPLIES
%left IFF
%right '?' ':'
%left '|' XOR XNOR
%left '&'
%left U V S T
%left '=' NE '<' '>' LE GE
%left IN
%left UNION
%left SHL SHR
%left '+' '-'
%left '*' '/' MOD
%left CONCAT
%precedence NOT

%type <module> modules module
%type <decl> sections section vars var defines define assigns assign spec compute
%type <list> params names exprs exprs_opt cases values
%type <items> items
%type <type> type
%type <expr> path spec_name context primary sum rel temporal pure ltl pure_ltl ctl expr value
%type <number> integer
%type <bounds> bounds window

%start model

/* A syntax error in a section belongs to the innermost list. */
%expect 5

%%

model: modules { p->modules = AST_CLOSE($1); }
  | GIVEN expr { p->expr = $2; }

modules: module { $$ = AST_APPEND((struct ast_module *)NULL, $1); }
  | modules module { $$ = AST_APPEND($1, $2); }

module: MODULE ID params sections {
      $$ = ARENA_NEW(p->tree, struct ast_module);
      *$$ = (struct ast_module){.name = $2, .span = @2, .params = AST_CLOSE($3), .decls = AST_CLOSE($4)};
    }

params: %empty { $$ = NULL; } | '(' ')' { $$ = NULL; } | '(' names ')' { $$ = $2; }
names: ID { $$ = AST_APPEND((struct ast_list *)NULL, item(p, name(p, $1, @1))); }
  | names ',' ID { $$ = AST_APPEND($1, item(p, name(p, $3, @3))); }

  /* ---- declarations ---- */

sections: %empty { $$ = NULL; }
  | sections section { $$ = join($1, $2); }
  | sections error { $$ = $1; }

section: VAR vars { $$ = variables($2, SMV_VAR); }
  | IVAR vars { $$ = variables($2, SMV_INPUT); }
  | FROZENVAR vars { $$ = variables($2, SMV_FROZEN); }
  | DEFINE defines { $$ = $2; }
  | ASSIGN assigns { $$ = $2; }
  | CONSTANTS ';' { $$ = NULL; }
  | CONSTANTS names ';' {
      $$ = AST_APPEND((struct ast_decl *)NULL, decl(p, AST_CONSTANTS, NULL, NULL, @$));
      $$->list = AST_CLOSE($2);
    }
  | INIT expr semi_opt { $$ = AST_APPEND((struct ast_decl *)NULL, decl(p, AST_INIT, NULL, $2, @2)); }
  | TRANS expr semi_opt { $$ = AST_APPEND((struct ast_decl *)NULL, decl(p, AST_TRANS, NULL, $2, @2)); }
  | INVAR expr semi_opt { $$ = AST_APPEND((struct ast_decl *)NULL, decl(p, AST_INVAR, NULL, $2, @2)); }
  | fair expr semi_opt { $$ = AST_APPEND((struct ast_decl *)NULL, decl(p, AST_FAIRNESS, NULL, $2, @2)); }
  | COMPASSION '(' expr ',' expr ')' semi_opt {
      $$ = AST_APPEND((struct ast_decl *)NULL, decl(p, AST_FAIRNESS, NULL, $3, @$));
      $$->other = $5;
    }
  | ctlspec spec_name spec { $$ = spec($3, SMV_SPEC_CTL, $2); }
  | LTLSPEC spec_name spec { $$ = spec($3, SMV_SPEC_LTL, $2); }
  | INVARSPEC spec_name spec { $$ = spec($3, SMV_SPEC_INVAR, $2); }
  | COMPUTE spec_name compute { $$ = spec($3, SMV_SPEC_COMPUTE, $2); }
  | ISA ID semi_opt { $$ = AST_APPEND((struct ast_decl *)NULL, decl(p, AST_ISA, name(p, $2, @2), NULL, @2)); }
  | PRED expr semi_opt {
      diag_warning(p->diag, @$, "PRED is left out: it only hints at an abstraction");
      $$ = NULL;
    }
  | MIRROR path semi_opt {
      diag_warning(p->diag, @$, "MIRROR is left out: it only hints at an abstraction");
      $$ = NULL;
    }
  | FUN {
      diag_error(p->diag, @1, "FUN is not supported: write the function as a DEFINE");
      $$ = NULL;
    }

fair: FAIRNESS | JUSTICE
ctlspec: SPEC | CTLSPEC
semi_opt: %empty | ';'

vars: %empty { $$ = NULL; }
  | vars var { $$ = AST_APPEND($1, $2); }
  | vars error { $$ = $1; }
var: path ':' type ';' {
      $$ = decl(p, AST_VAR, $1, NULL, @1);
      $$->type = $3;
    }

defines: %empty { $$ = NULL; }
  | defines define { $$ = AST_APPEND($1, $2); }
  | defines error { $$ = $1; }
define: path GETS expr ';' { $$ = decl(p, AST_DEFINE, $1, $3, @1); }
  | path GETS '[' items ']' ';' {
      $$ = decl(p, AST_DEFINE, $1, NULL, @1);
      $$->items = AST_CLOSE($4);
    }
items: expr {
      $$ = AST_APPEND((struct ast_items *)NULL, ARENA_NEW(p->tree, struct ast_items));
      $$->span = @1;
      $$->expr = $1;
    }
  | '[' items ']' {
      $$ = AST_APPEND((struct ast_items *)NULL, ARENA_NEW(p->tree, struct ast_items));
      $$->span = @$;
      $$->parts = AST_CLOSE($2);
    }
  | items ',' expr {
      $$ = AST_APPEND($1, ARENA_NEW(p->tree, struct ast_items));
      $$->span = @3;
      $$->expr = $3;
    }
  | items ',' '[' items ']' {
      $$ = AST_APPEND($1, ARENA_NEW(p->tree, struct ast_items));
      $$->span = @4;
      $$->parts = AST_CLOSE($4);
    }

assigns: %empty { $$ = NULL; }
  | assigns assign { $$ = AST_APPEND($1, $2); }
  | assigns error { $$ = $1; }
assign: path GETS expr ';' { $$ = assign(p, SMV_ALWAYS, $1, $3, @$); }
  | SMALLINIT '(' path ')' GETS expr ';' { $$ = assign(p, SMV_AT_INIT, $3, $6, @$); }
  | NEXT '(' path ')' GETS expr ';' { $$ = assign(p, SMV_AT_NEXT, $3, $6, @$); }

spec_name: %empty { $$ = NULL; } | NAME path GETS { $$ = $2; }
context: %empty { $$ = NULL; } | CONTEXT path { $$ = $2; }
spec: expr context semi_opt {
      $$ = decl(p, AST_SPEC, NULL, $1, @1);
      $$->other = $2;
    }
compute: MIN '[' expr ',' expr ']' context semi_opt {
      struct span at = @1;
      at.end_line = @6.end_line, at.end_column = @6.end_column;
      $$ = decl(p, AST_SPEC, NULL, smv_ast_binary(p->tree, SMV_MIN, $3, $5, at), at);
      $$->other = $7;
    }
  | MAX '[' expr ',' expr ']' context semi_opt {
      struct span at = @1;
      at.end_line = @6.end_line, at.end_column = @6.end_column;
      $$ = decl(p, AST_SPEC, NULL, smv_ast_binary(p->tree, SMV_MAX, $3, $5, at), at);
      $$->other = $7;
    }

  /* What is declared, assigned, or named as the place of a property. */
path: ID { $$ = name(p, $1, @$); }
  | SELF { $$ = smv_ast_expr(p->tree, SMV_SELF, @$, 0); }
  | path '.' ID { $$ = part(p, $1, $3, @$); }
  | path '.' NUMBER { $$ = element(p, $1, $3, @$); }
  | path '[' expr ']' { $$ = smv_ast_binary(p->tree, SMV_INDEX, $1, $3, @$); }

  /* ---- types ---- */

type: BOOLEAN { $$ = type(p, AST_BOOLEAN, @$); }
  | WORD '[' expr ']' { $$ = word(p, false, $3, @$); }
  | UNSIGNED WORD '[' expr ']' { $$ = word(p, false, $4, @$); }
  | SIGNED WORD '[' expr ']' { $$ = word(p, true, $4, @$); }
  | sum DOTDOT sum {
      $$ = type(p, AST_RANGE, @$);
      $$->lo = $1;
      $$->hi = $3;
    }
  | '{' values '}' {
      $$ = type(p, AST_ENUM, @$);
      $$->members = AST_CLOSE($2);
    }
  | ARRAY sum DOTDOT sum OF type {
      $$ = type(p, AST_ARRAY, @$);
      $$->lo = $2;
      $$->hi = $4;
      $$->elem = $6;
    }
  | sum { $$ = module_type(p, $1, @$); }
  | PROCESS sum {
      $$ = module_type(p, $2, @$);
      $$->is_process = true;
    }
  | ARRAY WORD '[' expr ']' OF type {
      $$ = refused(p, "arrays whose index is a word are not supported: use array 0..n of", @$);
    }
  | ARRAY OF type { $$ = refused(p, "arrays without bounds are not supported: use array 0..n of", @$); }
  | INTEGER { $$ = refused(p, "the type integer is not supported: use a range, as in 0..255", @$); }
  | REAL { $$ = refused(p, "the type real is not supported: use a range of integers", @$); }

values: value { $$ = AST_APPEND((struct ast_list *)NULL, item(p, $1)); }
  | values ',' value { $$ = AST_APPEND($1, item(p, $3)); }
value: ID { $$ = name(p, $1, @$); }
  | integer { $$ = number(p, $1, @$); }
  | TRUE { $$ = smv_ast_expr(p->tree, SMV_TRUE, @$, 0); }
  | FALSE { $$ = smv_ast_expr(p->tree, SMV_FALSE, @$, 0); }
integer: NUMBER | '-' NUMBER { $$ = -$2; } | '+' NUMBER { $$ = $2; }

  /* ---- expressions ---- */

exprs_opt: %empty { $$ = NULL; } | exprs { $$ = AST_CLOSE($1); }
exprs: expr { $$ = AST_APPEND((struct ast_list *)NULL, item(p, $1)); }
  | exprs ',' expr { $$ = AST_APPEND($1, item(p, $3)); }
cases: expr ':' expr ';' {
      $$ = AST_APPEND((struct ast_list *)NULL, item(p, $1));
      $$ = AST_APPEND($$, item(p, $3));
    }
  | cases expr ':' expr ';' {
      $$ = AST_APPEND($1, item(p, $2));
      $$ = AST_APPEND($$, item(p, $4));
    }

primary: ID { $$ = name(p, $1, @$); }
  | SELF { $$ = smv_ast_expr(p->tree, SMV_SELF, @$, 0); }
  | primary '.' ID { $$ = part(p, $1, $3, @$); }
  | primary '.' NUMBER { $$ = element(p, $1, $3, @$); }
  | primary '[' expr ']' { $$ = smv_ast_binary(p->tree, SMV_INDEX, $1, $3, @$); }
  | primary '[' expr ':' expr ']' { $$ = triple(p, SMV_BITS, $1, $3, $5, @$); }
  | '(' expr ')' { $$ = $2; $$->span = @$; }
  | ID '(' exprs_opt ')' { $$ = call(p, $1, $3, @$); }
  | SIGNED '(' expr ')' { $$ = call(p, "signed", item(p, $3), @$); }
  | UNSIGNED '(' expr ')' { $$ = call(p, "unsigned", item(p, $3), @$); }
  | NEXT '(' expr ')' { $$ = smv_ast_unary(p->tree, SMV_NEXT, $3, @$); }
  | CASE cases ESAC { $$ = smv_ast_listed(p->tree, SMV_CASE, AST_CLOSE($2), @$); }
  | WORDS

  /* what may be a bound of a range */
sum: primary
  | NUMBER { $$ = number(p, $1, @$); }
  | '+' NUMBER { $$ = number(p, $2, @$); }
  | TRUE { $$ = smv_ast_expr(p->tree, SMV_TRUE, @$, 0); }
  | FALSE { $$ = smv_ast_expr(p->tree, SMV_FALSE, @$, 0); }
  | '!' sum %prec NOT { $$ = smv_ast_unary(p->tree, SMV_NOT, $2, @$); }
  | '-' sum %prec NOT { $$ = smv_ast_unary(p->tree, SMV_MINUS, $2, @$); }
  | sum CONCAT sum { $$ = smv_ast_binary(p->tree, SMV_CONCAT, $1, $3, @$); }
  | sum '*' sum { $$ = smv_ast_binary(p->tree, SMV_MUL, $1, $3, @$); }
  | sum '/' sum { $$ = smv_ast_binary(p->tree, SMV_DIV, $1, $3, @$); }
  | sum MOD sum { $$ = smv_ast_binary(p->tree, SMV_MOD, $1, $3, @$); }
  | sum '+' sum { $$ = smv_ast_binary(p->tree, SMV_ADD, $1, $3, @$); }
  | sum '-' sum { $$ = smv_ast_binary(p->tree, SMV_SUB, $1, $3, @$); }
  | sum SHL sum { $$ = smv_ast_binary(p->tree, SMV_SHL, $1, $3, @$); }
  | sum SHR sum { $$ = smv_ast_binary(p->tree, SMV_SHR, $1, $3, @$); }

rel: sum
  | sum DOTDOT sum { $$ = smv_ast_binary(p->tree, SMV_RANGE, $1, $3, @$); }
  | '{' exprs '}' { $$ = smv_ast_listed(p->tree, SMV_SET, AST_CLOSE($2), @$); }
  | rel UNION rel { $$ = smv_ast_binary(p->tree, SMV_UNION, $1, $3, @$); }
  | rel IN rel { $$ = smv_ast_binary(p->tree, SMV_IN, $1, $3, @$); }
  | rel '=' rel { $$ = smv_ast_binary(p->tree, SMV_EQ, $1, $3, @$); }
  | rel NE rel { $$ = smv_ast_binary(p->tree, SMV_NE, $1, $3, @$); }
  | rel '<' rel { $$ = smv_ast_binary(p->tree, SMV_LT, $1, $3, @$); }
  | rel LE rel { $$ = smv_ast_binary(p->tree, SMV_LE, $1, $3, @$); }
  | rel '>' rel { $$ = smv_ast_binary(p->tree, SMV_GT, $1, $3, @$); }
  | rel GE rel { $$ = smv_ast_binary(p->tree, SMV_GE, $1, $3, @$); }

  /* computation tree logic: its operators reach as far as a comparison */
temporal: rel | pure
pure: EX temporal { $$ = smv_ast_unary(p->tree, SMV_EX, $2, @$); }
  | AX temporal { $$ = smv_ast_unary(p->tree, SMV_AX, $2, @$); }
  | EF temporal { $$ = smv_ast_unary(p->tree, SMV_EF, $2, @$); }
  | AF temporal { $$ = smv_ast_unary(p->tree, SMV_AF, $2, @$); }
  | EG temporal { $$ = smv_ast_unary(p->tree, SMV_EG, $2, @$); }
  | AG temporal { $$ = smv_ast_unary(p->tree, SMV_AG, $2, @$); }
  | E '[' ctl U ctl ']' { $$ = smv_ast_binary(p->tree, SMV_EU, $3, $5, @$); }
  | A '[' ctl U ctl ']' { $$ = smv_ast_binary(p->tree, SMV_AU, $3, $5, @$); }
  | E '[' ctl BU bounds ctl ']' { $$ = bounded(p, SMV_EBU, $5, $3, $6, @$); }
  | A '[' ctl BU bounds ctl ']' { $$ = bounded(p, SMV_ABU, $5, $3, $6, @$); }
  | EBF bounds temporal { $$ = bounded(p, SMV_EBF, $2, $3, NULL, @$); }
  | ABF bounds temporal { $$ = bounded(p, SMV_ABF, $2, $3, NULL, @$); }
  | EBG bounds temporal { $$ = bounded(p, SMV_EBG, $2, $3, NULL, @$); }
  | ABG bounds temporal { $$ = bounded(p, SMV_ABG, $2, $3, NULL, @$); }
  | '!' pure { $$ = smv_ast_unary(p->tree, SMV_NOT, $2, @$); }
bounds: NUMBER DOTDOT NUMBER { $$ = bounds(p, $1, $3, @$); }

  /* between E [ and ]: U is what stands in the middle there, not an operator */
ctl: temporal
  | ctl '&' ctl { $$ = smv_ast_binary(p->tree, SMV_AND, $1, $3, @$); }
  | ctl '|' ctl { $$ = smv_ast_binary(p->tree, SMV_OR, $1, $3, @$); }
  | ctl XOR ctl { $$ = smv_ast_binary(p->tree, SMV_XOR, $1, $3, @$); }
  | ctl XNOR ctl { $$ = smv_ast_binary(p->tree, SMV_XNOR, $1, $3, @$); }
  | ctl IFF ctl { $$ = smv_ast_binary(p->tree, SMV_IFF, $1, $3, @$); }
  | ctl IMPLIES ctl { $$ = smv_ast_binary(p->tree, SMV_IMPLIES, $1, $3, @$); }

  /* linear temporal logic */
ltl: temporal | pure_ltl
pure_ltl: X ltl { $$ = smv_ast_unary(p->tree, SMV_X, $2, @$); }
  | G ltl { $$ = smv_ast_unary(p->tree, SMV_G, $2, @$); }
  | F ltl { $$ = smv_ast_unary(p->tree, SMV_F, $2, @$); }
  | Y ltl { $$ = smv_ast_unary(p->tree, SMV_Y, $2, @$); }
  | Z ltl { $$ = smv_ast_unary(p->tree, SMV_Z, $2, @$); }
  | H ltl { $$ = smv_ast_unary(p->tree, SMV_H, $2, @$); }
  | O ltl { $$ = smv_ast_unary(p->tree, SMV_O, $2, @$); }
  | G window ltl { $$ = windowed(p, SMV_G, $2, $3, @$); }
  | F window ltl { $$ = windowed(p, SMV_F, $2, $3, @$); }
  | H window ltl { $$ = windowed(p, SMV_H, $2, $3, @$); }
  | O window ltl { $$ = windowed(p, SMV_O, $2, $3, @$); }
  | '!' pure_ltl { $$ = smv_ast_unary(p->tree, SMV_NOT, $2, @$); }
window: '[' NUMBER ',' NUMBER ']' { $$ = bounds(p, $2, $4, @$); }

expr: ltl
  | expr U expr { $$ = smv_ast_binary(p->tree, SMV_U, $1, $3, @$); }
  | expr V expr { $$ = smv_ast_binary(p->tree, SMV_V, $1, $3, @$); }
  | expr S expr { $$ = smv_ast_binary(p->tree, SMV_S, $1, $3, @$); }
  | expr T expr { $$ = smv_ast_binary(p->tree, SMV_T, $1, $3, @$); }
  | expr '&' expr { $$ = smv_ast_binary(p->tree, SMV_AND, $1, $3, @$); }
  | expr '|' expr { $$ = smv_ast_binary(p->tree, SMV_OR, $1, $3, @$); }
  | expr XOR expr { $$ = smv_ast_binary(p->tree, SMV_XOR, $1, $3, @$); }
  | expr XNOR expr { $$ = smv_ast_binary(p->tree, SMV_XNOR, $1, $3, @$); }
  | expr '?' expr ':' expr { $$ = triple(p, SMV_ITE, $1, $3, $5, @$); }
  | expr IFF expr { $$ = smv_ast_binary(p->tree, SMV_IFF, $1, $3, @$); }
  | expr IMPLIES expr { $$ = smv_ast_binary(p->tree, SMV_IMPLIES, $1, $3, @$); }

%%

// --- messages ---

#define K(x) YYSYMBOL_##x
static const struct expected_group groups[] = {
    {"a declaration",
     {K(VAR), K(ASSIGN)},
     "",
     {K(VAR), K(IVAR), K(FROZENVAR), K(DEFINE), K(CONSTANTS), K(ASSIGN), K(INIT), K(TRANS),
      K(INVAR), K(FAIRNESS), K(JUSTICE), K(COMPASSION), K(SPEC), K(CTLSPEC), K(LTLSPEC),
      K(INVARSPEC), K(COMPUTE), K(ISA), K(PRED), K(MIRROR), K(FUN), K(MODULE)}},
    {"a type",
     {K(ARRAY), K(PROCESS)},
     "{+-!(",
     {K(ARRAY), K(PROCESS), K(BOOLEAN), K(INTEGER), K(REAL), K(WORD), K(SIGNED), K(UNSIGNED),
      K(ID), K(SELF), K(NUMBER), K(WORDS), K(TRUE), K(FALSE), K(NEXT), K(CASE)}},
    {"an expression",
     {K(NUMBER), K(CASE)},
     "{+-!(",
     {K(NUMBER), K(CASE), K(ID), K(SELF), K(WORDS), K(TRUE), K(FALSE), K(NEXT), K(SIGNED),
      K(UNSIGNED), K(EX), K(AX), K(EF), K(AF), K(EG), K(AG), K(E), K(A), K(EBF), K(ABF), K(EBG),
      K(ABG), K(X), K(G), K(F), K(Y), K(Z), K(H), K(O)}},
    {NULL,
     {K(IMPLIES), K(XOR)},
     "+-*/=<>&|?.[(",
     {K(U), K(V), K(S), K(T), K(IMPLIES), K(IFF), K(XOR), K(XNOR), K(LE), K(GE), K(NE), K(IN),
      K(UNION), K(SHL), K(SHR), K(MOD), K(CONCAT), K(DOTDOT), K(CONTEXT)}},
};
#undef K

static const char *spelling(const void *context, int kind) {
  const struct smv_parse *p = context;
  return p->given && kind == YYSYMBOL_YYEOF ? "the end of the expression" : yysymbol_name(kind);
}

static int yyreport_syntax_error(const yypcontext_t *ctx, void *scanner, struct smv_parse *p) {
  (void)scanner;
  enum { MAX = YYNTOKENS };
  struct expected e = {groups, sizeof groups / sizeof *groups, spelling, p};
  yysymbol_kind_t kinds[MAX];
  int set[MAX], n = yypcontext_expected_tokens(ctx, kinds, MAX);
  if (n < 0) return n;
  for (int i = 0; i < n; i++) set[i] = kinds[i] == YYSYMBOL_GIVEN ? EXPECTED_NONE : (int)kinds[i];
  struct text message = {0};
  text_add(&message, "expected ");
  expected_say(&e, &message, set, n);
  text_add(&message, ", but found ");
  if (yypcontext_token(ctx) != YYSYMBOL_YYEMPTY) text_add(&message, spelling(p, yypcontext_token(ctx)));
  diag_error(p->diag, *yypcontext_location(ctx), "%s", text_str(&message));
  text_clear(&message);
  return 0;
}

// Called by bison only when its stack is full.
static void smv_yyerror(struct span *at, void *scanner, struct smv_parse *p, const char *text) {
  (void)scanner;
  (void)text;
  diag_error(p->diag, *at, "nested too deeply: more than %d open constructs", YYMAXDEPTH);
}

// --- builders of expressions ---

static struct smv_expr *name(struct smv_parse *p, const char *text, struct span at) {
  struct smv_expr *e = smv_ast_expr(p->tree, SMV_NAME, at, 0);
  e->text = text;
  return e;
}

static struct smv_expr *part(struct smv_parse *p, const struct smv_expr *of, const char *text,
                             struct span at) {
  struct smv_expr *e = smv_ast_unary(p->tree, SMV_NAME, of, at);
  e->text = text;
  return e;
}

static struct smv_expr *number(struct smv_parse *p, int64_t value, struct span at) {
  struct smv_expr *e = smv_ast_expr(p->tree, SMV_NUMBER, at, 0);
  e->value = value;
  return e;
}

// a.2 is an old way to write a[2].
static struct smv_expr *element(struct smv_parse *p, const struct smv_expr *of, int64_t index,
                                struct span at) {
  return smv_ast_binary(p->tree, SMV_INDEX, of, number(p, index, at), at);
}

static struct smv_expr *triple(struct smv_parse *p, enum smv_op op, const struct smv_expr *a,
                               const struct smv_expr *b, const struct smv_expr *c, struct span at) {
  struct smv_expr *e = smv_ast_expr(p->tree, op, at, 3);
  e->args[0] = a;
  e->args[1] = b;
  e->args[2] = c;
  return e;
}

static struct smv_expr *call(struct smv_parse *p, const char *text, const struct ast_list *args,
                             struct span at) {
  struct smv_expr *e = smv_ast_listed(p->tree, SMV_CALL, args, at);
  e->text = smv_intern(p->texts, text, strlen(text));
  return e;
}

static struct bounds bounds(struct smv_parse *p, int64_t lo, int64_t hi, struct span at) {
  if (lo <= hi && hi <= INT32_MAX) return (struct bounds){(uint32_t)lo, (uint32_t)hi};
  diag_error(p->diag, at, "expected bounds from low to high, at most %d", INT32_MAX);
  return (struct bounds){0, 0};
}

static struct smv_expr *bounded(struct smv_parse *p, enum smv_op op, struct bounds b,
                                const struct smv_expr *x, const struct smv_expr *y,
                                struct span at) {
  struct smv_expr *e =
      y ? smv_ast_binary(p->tree, op, x, y, at) : smv_ast_unary(p->tree, op, x, at);
  e->lo = b.lo;
  e->hi = b.hi;
  return e;
}

// F [2, 4] p is X X (p | X (p | X p)); G with &, O with Y, H with & and Z.
static struct smv_expr *windowed(struct smv_parse *p, enum smv_op op, struct bounds b,
                                 const struct smv_expr *x, struct span at) {
  enum { WINDOW_MAX = 200 };
  enum smv_op step = op == SMV_O ? SMV_Y : op == SMV_H ? SMV_Z : SMV_X;
  enum smv_op both = op == SMV_F || op == SMV_O ? SMV_OR : SMV_AND;
  if (b.hi > WINDOW_MAX) {
    diag_error(p->diag, at, "expected bounds of at most %d for a linear operator", WINDOW_MAX);
    b.lo = b.hi = 0;
  }
  struct smv_expr *e = smv_ast_binary(p->tree, both, x, x, at);
  for (uint32_t i = b.hi; i > b.lo; i--)
    e = smv_ast_binary(p->tree, both, x, smv_ast_unary(p->tree, step, i == b.hi ? x : e, at), at);
  for (uint32_t i = 0; i < b.lo; i++) e = smv_ast_unary(p->tree, step, e, at);
  return e;
}

static struct ast_list *item(struct smv_parse *p, const struct smv_expr *e) {
  struct ast_list *l = ARENA_NEW(p->tree, struct ast_list);
  l->expr = e;
  return l;
}

// --- builders of types ---

static struct ast_type *type(struct smv_parse *p, enum ast_type_kind kind, struct span at) {
  struct ast_type *t = ARENA_NEW(p->tree, struct ast_type);
  t->kind = kind;
  t->span = at;
  return t;
}

static struct ast_type *word(struct smv_parse *p, bool is_signed, struct smv_expr *bits,
                             struct span at) {
  struct ast_type *t = type(p, AST_WORD, at);
  t->is_signed = is_signed;
  t->lo = bits;
  return t;
}

static struct ast_type *refused(struct smv_parse *p, const char *what, struct span at) {
  diag_error(p->diag, at, "%s", what);
  return type(p, AST_REFUSED, at);
}

// A module reads like a name or a call where a type is expected.
static struct ast_type *module_type(struct smv_parse *p, const struct smv_expr *e, struct span at) {
  bool is_name = e->op == SMV_NAME && e->arg_count == 0;
  if (!is_name && e->op != SMV_CALL) return refused(p, "expected a type or a module", at);
  struct ast_type *t = type(p, AST_MODULE, at);
  t->name = e->text;
  for (uint32_t i = 0; e->op == SMV_CALL && i < e->arg_count; i++)
    t->members = AST_APPEND(t->members, item(p, e->args[i]));
  t->members = AST_CLOSE(t->members);
  return t;
}

// --- builders of declarations ---

static struct ast_decl *decl(struct smv_parse *p, enum ast_decl_kind kind, struct smv_expr *target,
                             struct smv_expr *expr, struct span at) {
  struct ast_decl *d = ARENA_NEW(p->tree, struct ast_decl);
  *d = (struct ast_decl){.kind = kind, .span = at, .target = target, .expr = expr};
  return d;
}

static struct ast_decl *assign(struct smv_parse *p, enum smv_when when, struct smv_expr *target,
                               struct smv_expr *expr, struct span at) {
  struct ast_decl *d = decl(p, AST_ASSIGN, target, expr, at);
  d->when = when;
  return d;
}

static struct ast_decl *variables(struct ast_decl *ring, enum smv_symbol_kind kind) {
  struct ast_decl *d = ring;
  if (ring) {
    do {
      d->variable = kind;
      d = d->next;
    } while (d != ring);
  }
  return ring;
}

static struct ast_decl *spec(struct ast_decl *d, enum smv_spec_kind kind, struct smv_expr *name) {
  d->spec = kind;
  d->target = name;
  return AST_APPEND((struct ast_decl *)NULL, d);
}

static struct ast_decl *join(struct ast_decl *ring, struct ast_decl *more) {
  if (!ring || !more) return ring ? ring : more;
  struct ast_decl *first = ring->next;
  ring->next = more->next;
  more->next = first;
  return more;
}

void smv_parse(struct smv_parse *p) {
  yyscan_t scanner;
  p->line = p->column = 1;
  smv_yylex_init_extra(p, &scanner);
  smv_yy_scan_bytes(p->source->text, (int)p->source->bytes, scanner);
  size_t errors = p->diag->errors;
  struct span start = {.source = p->source, .line = 1, .column = 1, .end_line = 1, .end_column = 1};
  if (smv_yyparse(scanner, p) != 0 && p->diag->errors == errors)
    diag_error(p->diag, start, "the text could not be read");
  smv_yylex_destroy(scanner);
}
